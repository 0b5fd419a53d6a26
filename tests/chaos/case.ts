import type { Heard } from './checker.ts'
import { type ServerUnderTest, startServer } from './server.ts'
import { type Crowd, type Ground, type Outcome, startCrowd } from './setup.ts'

export type Result = Outcome & {
  rounds: number
  /** Milliseconds from the fault to the next acknowledged change, the maximum of all rounds. */
  recoveryMs: number
  /** Further violated expectations. */
  broken: string[]
}

export const nothingFound: Result = {
  ...{ rounds: 0, acknowledged: 0, unanswered: 0, refused: [], unknown: [] },
  ...{ lost: 0, halfDone: 0, doubled: 0, outOfOrder: 0, twoWinners: 0, evidence: 0, unlikeFirst: 0 },
  ...{ recoveryMs: 0, broken: [] },
}

/** One fault: what it does to the running product, and what must hold. */
export type Case = { name: string; run: (ground: Ground, rounds: number) => Promise<Result> }

type Opening = {
  ground?: Ground
  settings?: Record<string, string>
  couples?: number
  heard?: Heard
  main?: string
  /** Called once all sales are finished, while the server still runs. */
  onSettled?: (outcome: Outcome, baseUrl: string) => Promise<void>
}
type Stage = {
  ground: Ground
  rounds: number
  broken: string[]
  /** Starts the product and couples who sell cars. */
  open(opening?: Opening): Promise<{ server: ServerUnderTest; crowd: Crowd }>
  /** Starts one more server. Each server must exit on SIGTERM without an error. */
  startServer(main?: string): Promise<ServerUnderTest>
  eachRound(run: (round: number) => Promise<void>): Promise<void>
  /** Called after the servers have exited, in reverse order. */
  atEnd(end: () => unknown): void
}

/** A fault during sales. All sales are finished before anything is counted. */
export function whileSelling(
  name: string,
  harm: (stage: Stage) => Promise<void>,
  { maxRounds = Number.POSITIVE_INFINITY } = {},
): Case {
  return { name, run: (ground, rounds) => play(harm, ground, Math.min(rounds, maxRounds)) }
}

async function play(harm: (stage: Stage) => Promise<void>, ground: Ground, rounds: number): Promise<Result> {
  const broken: string[] = []
  const servers: ServerUnderTest[] = []
  const ends: (() => unknown)[] = []
  const crowds: { crowd: Crowd; settle: () => Promise<Outcome> }[] = []
  const start = async (settings: Record<string, string>, main?: string) => {
    const server = await startServer(settings, main)
    servers.push(server)
    return server
  }
  const stage: Stage = {
    ground,
    rounds,
    broken,
    startServer: (main) => start(ground.settings, main),
    async open({ settings, couples = 6, heard, main, onSettled, ...opening } = {}) {
      const on = opening.ground ?? ground
      const server = await start({ ...on.settings, ...settings }, main)
      const { baseUrl } = server
      const crowd = await startCrowd(on, baseUrl, couples)
      const settle = async () => {
        const outcome = await crowd.settle(heard ?? on.outside)
        await onSettled?.(outcome, baseUrl)
        return outcome
      }
      crowds.push({ crowd, settle })
      return { server, crowd }
    },
    async eachRound(run) {
      for (let round = 0; round < rounds; round++) await run(round)
    },
    atEnd: (end) => void ends.unshift(end),
  }
  try {
    await harm(stage)
    const [opened] = crowds
    if (!opened) throw new Error('Nobody has sold anything')
    const outcome = await opened.settle()
    for (const server of servers) {
      const { code, ms } = await server.end()
      if (code !== 0) broken.push(`SIGTERM ended it with ${code} after ${ms} ms`)
    }
    return { ...outcome, rounds, recoveryMs: opened.crowd.ledger.longestSilenceMs(), broken }
  } finally {
    for (const end of ends) await end()
  }
}
