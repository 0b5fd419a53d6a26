import { noteText } from '@keyturn/contract/shared/crypto/signed-note.ts'
import type { Config } from '../../../config.ts'
import type { Deps } from '../../../deps.ts'
import {
  type SubmissionResult,
  submitCheckpoint,
} from '../../../integrations/log-witness/submit-checkpoint.ts'
import type { Witness } from '../../../integrations/log-witness/witnesses.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { addJobs, type JobOutcome, retryDelayMs, type Task } from '../../../platform/jobs/jobs.ts'
import type { GaugeReading } from '../../../platform/telemetry/gauge-reading.ts'
import { verifyNote } from './head-key.ts'
import { readGrowthProof } from './log-nodes.ts'
import * as store from './log-repository.ts'

type Witnesses = Pick<Config, 'witnesses'>

export const submitHeadJob = 'submit-head'

/** Asks every witness to cosign the newest head, after the transaction commits (R-deals-109). */
export const enqueueSubmissions = ({ config }: { config: Witnesses }, tx: Db): Promise<void> =>
  addJobs(
    tx,
    submitHeadJob,
    config.witnesses.map(({ verifier }) => ({
      key: `submit head to ${verifier}`,
      payload: { witness: verifier },
    })),
  )

type SubmissionDeps = Pick<Deps, 'db' | 'config' | 'log'>

/** Submits the newest head to a witness until it has cosigned it. */
export const submitHeadTask = (deps: SubmissionDeps): Task => ({
  places: 2,
  isOutbound: true,
  run: async ({ witness: verifier }, { attempts }) => {
    // A witness that was removed from the settings has nothing left to do.
    const witness = deps.config.witnesses.find((one) => one.verifier === verifier)
    return witness && (await submitHead(deps, witness, attempts))
  },
})

async function submitHead(deps: SubmissionDeps, witness: Witness, attempts: number): Promise<JobOutcome> {
  const readHead = async () => (await store.findCosignState(deps.db, { witness: witness.verifier }))[0]
  const newest = await readHead()
  if (!newest || newest.cosigned === newest.size) return undefined
  const first = await submitFrom(deps, witness, newest, newest.cosigned)
  // Two submissions may run at once: the faster one may have submitted a newer head.
  const head = (first.kind === 'conflict' && (await readHead())) || newest
  const result =
    first.kind === 'conflict' && first.size <= head.size
      ? await submitFrom(deps, witness, head, first.size)
      : first
  const because =
    result.kind === 'cosigned' ? await storeCosignature(deps, witness, head, result.lines) : describe(result)
  if (because === null) return undefined
  // A witness that has seen another log is evidence of an older copy or of two histories.
  const isAlarming =
    result.kind === 'refused' || (result.kind === 'conflict' && result.size > ((await readHead())?.size ?? 0))
  deps.log[isAlarming ? 'error' : 'warn'](
    { witness: witness.name, size: head.size, because },
    'the witness did not cosign the head of the log',
  )
  return { againInMs: retryDelayMs(attempts), because }
}

async function submitFrom(
  { db, config }: SubmissionDeps,
  { url }: Witness,
  head: store.CosignState,
  oldSize: number,
) {
  const proof = await readGrowthProof(db, oldSize, head.size)
  const rules = { allowPrivate: config.privateWebhooks }
  return submitCheckpoint(url, { oldSize, proof, checkpoint: head.note }, rules)
}

const describe = (result: Exclude<SubmissionResult, { kind: 'cosigned' }>): string =>
  result.kind === 'conflict' ? `has cosigned a log of ${result.size} entries` : result.because

/** In seconds, how far the clocks of a witness and of the database may differ. */
const clockTolerance = 300

/** Returns null once the witness's cosignature is stored, else why the lines are not one. */
async function storeCosignature(
  { db }: SubmissionDeps,
  { verifier }: Witness,
  { size, note, since, now }: store.CosignState,
  lines: string,
): Promise<string | null> {
  const cosigned = await verifyNote([verifier], note + lines)
  // Lines that contain an empty one would make the signatures of the head part of the signed text.
  if (cosigned?.text !== noteText(note)) return 'its answer is not its cosignature'
  const { time, line } = cosigned.signatures[0]
  if (time === null || time > now + clockTolerance || time < since - clockTolerance)
    return 'the time of its cosignature is wrong'
  await store.insertCosignature(db, { size, witness: verifier, line, at: new Date(time * 1000) })
  return null
}

/** Counts the entries that each witness has not cosigned yet. */
export async function readWitnessGauges({
  db,
  config,
}: Pick<Deps, 'db' | 'config'>): Promise<GaugeReading[]> {
  const readings = config.witnesses.map(async ({ name, verifier }) => {
    const [head] = await store.findCosignState(db, { witness: verifier })
    return { gauge: 'keyturn_log_uncosigned' as const, of: name, value: head ? head.size - head.cosigned : 0 }
  })
  return Promise.all(readings)
}

/** Returns when each witness first cosigned a head of at least this size. */
export async function listCosigners({ db, config }: Pick<Deps, 'db' | 'config'>, size: number) {
  const found = config.witnesses.map(async ({ name, verifier }) => {
    const [first] = await store.findFirstCosignature(db, { witness: verifier, size })
    return first ? [{ witness: name, at: first.at.toISOString() }] : []
  })
  return (await Promise.all(found)).flat()
}
