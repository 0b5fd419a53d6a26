import type { Received } from './checker.ts'
import { type ServerUnderTest, startServer } from './server.ts'
import { type Environment, type Outcome, startWorkload, type Workload } from './setup.ts'

export type Result = Outcome & {
  rounds: number
  /** Milliseconds from the fault to the next acknowledged change; the maximum of all rounds. */
  recoveryMs: number
  /** Other expectations that were violated. */
  violations: string[]
}

export const emptyResult: Result = {
  ...{ rounds: 0, acknowledged: 0, unanswered: 0, rejected: [], withoutResponse: [] },
  ...{ lost: 0, halfDone: 0, doubled: 0, outOfOrder: 0, twoWinners: 0, evidence: 0, changedResponses: 0 },
  ...{ recoveryMs: 0, violations: [] },
}

/** A fault of the product or of a dependency, and what must hold nevertheless. */
export type Case = { name: string; run: (environment: Environment, rounds: number) => Promise<Result> }

type OpenOptions = {
  environment?: Environment
  settings?: Record<string, string>
  groups?: number
  received?: Received
  main?: string
  /** Called once all sales are finished, while the server still runs. */
  onFinished?: (outcome: Outcome, baseUrl: string) => Promise<void>
}
type CaseContext = {
  environment: Environment
  rounds: number
  violations: string[]
  /** Starts the product and groups of people who trade cars. */
  open(opening?: OpenOptions): Promise<{ server: ServerUnderTest; workload: Workload }>
  /** Starts another server. Each server must exit on SIGTERM without an error. */
  startServer(main?: string): Promise<ServerUnderTest>
  eachRound(run: (round: number) => Promise<void>): Promise<void>
  /** Called after the servers have exited, in reverse order. */
  onCleanup(end: () => unknown): void
}

/** Defines a fault during sales. All sales are finished before rows are counted. */
export function defineCase(
  name: string,
  injectFault: (context: CaseContext) => Promise<void>,
  { maxRounds = Number.POSITIVE_INFINITY } = {},
): Case {
  return {
    name,
    run: (environment, rounds) => runCase(injectFault, environment, Math.min(rounds, maxRounds)),
  }
}

async function runCase(
  injectFault: (context: CaseContext) => Promise<void>,
  environment: Environment,
  rounds: number,
): Promise<Result> {
  const violations: string[] = []
  const servers: ServerUnderTest[] = []
  const ends: (() => unknown)[] = []
  const workloads: { workload: Workload; finish: () => Promise<Outcome> }[] = []
  const start = async (settings: Record<string, string>, main?: string) => {
    const server = await startServer(settings, main)
    servers.push(server)
    return server
  }
  const context: CaseContext = {
    environment,
    rounds,
    violations,
    startServer: (main) => start(environment.settings, main),
    async open({ settings, groups = 6, received, main, onFinished, ...opening } = {}) {
      const selected = opening.environment ?? environment
      const server = await start({ ...selected.settings, ...settings }, main)
      const { baseUrl } = server
      const workload = await startWorkload(selected, baseUrl, groups)
      const finish = async () => {
        const outcome = await workload.finish(received ?? selected.external)
        await onFinished?.(outcome, baseUrl)
        return outcome
      }
      workloads.push({ workload, finish })
      return { server, workload }
    },
    async eachRound(run) {
      for (let round = 0; round < rounds; round++) await run(round)
    },
    onCleanup: (end) => void ends.unshift(end),
  }
  try {
    await injectFault(context)
    const [opened] = workloads
    if (!opened) throw new Error('The case opened no workload')
    const outcome = await opened.finish()
    for (const server of servers) {
      const { code, ms } = await server.stop()
      if (code !== 0) violations.push(`SIGTERM ended it with ${code} after ${ms} ms`)
    }
    return { ...outcome, rounds, recoveryMs: opened.workload.ledger.longestGapMs(), violations }
  } finally {
    for (const end of ends) await end()
  }
}
