import type { Deps } from '../../deps.ts'
import { type Attachment, type Failure, type Mailer, smtpMailer } from '../../integrations/smtp/mailer.ts'
import { retryWrite } from '../../shared/keep-trying.ts'
import { reasonOf } from '../../shared/reason-of.ts'
import {
  busyRetryMs,
  isBusy,
  type Outcome,
  pauseMs,
  type Task,
  type Tasks,
  withJitter,
} from '../jobs/jobs.ts'
import { inSpan } from '../telemetry/in-span.ts'
import { saveBounce } from './bounces.ts'
import { type Begun, claimMail, domainOf, type FindDone } from './mail-batching.ts'
import * as store from './mail-repository.ts'
import { mailJob, mailWithFilesJob } from './mails.ts'

/** Creates the attachments of one kind of email; `main.ts` passes them in. */
export type Carrier = {
  filesOf(id: string): Promise<Attachment[]>
  /**
   * Called after each attempt. `because` is null if the server accepted it; `isOver` means that no
   * attempt follows.
   */
  tried?(id: string, outcome: { because: string | null; isOver: boolean }): Promise<void>
}
export type Carriers = Readonly<Record<string, Carrier>>

/**
 * Jobs that send emails. The queue pauses while the server is unreachable, and keeps its order.
 * Call `close` after the jobs have stopped.
 */
export function mailJobs(
  deps: Pick<Deps, 'db' | 'log' | 'config'>,
  carriers: Carriers = {},
  findDone: FindDone = async () => [],
): { tasks: Tasks; close: () => void } {
  const { smtpUrl, mailFrom, dkim } = deps.config
  const mailer = smtpUrl ? smtpMailer(smtpUrl, mailFrom, dkim) : null
  const task: Task = {
    places: 4,
    goesOut: true,
    run: async ({ id }, about) =>
      mailer ? deliver({ ...deps, carriers, findDone, mailer }, String(id), about) : undefined,
  }
  return { tasks: { [mailJob]: task, [mailWithFilesJob]: task }, close: () => mailer?.close() }
}

type Sending = Pick<Deps, 'db' | 'log' | 'config'> & {
  carriers: Carriers
  findDone: FindDone
  mailer: Mailer
}

async function deliver(
  deps: Sending,
  id: string,
  { attempts, stopping }: Parameters<Task['run']>[1],
): Promise<Outcome> {
  const taken = await claimMail(deps, id)
  if ('over' in taken) return undefined
  if ('later' in taken) return { againInMs: taken.later }
  if ('never' in taken) return giveUp(deps, { id }, taken.never)
  const mail = taken.begun
  const cargo = cargoOf(deps, mail.attachment)
  const files = await cargo.files().catch((error: unknown) => ({ error }))
  if ('error' in files) {
    const because = reasonOf(files.error)
    // The generator is busy, so this does not count as an attempt.
    if (isBusy(files.error) && !mail.old) return { againInMs: busyRetryMs(attempts), because }
    return waitFor(deps, mail, { outcome: 'busy', because })
  }
  const delivery = await inSpan(
    {
      name: 'mail',
      kind: 'client',
      about: { 'keyturn.mail': id, 'keyturn.thread': mail.thread ?? undefined },
    },
    () => deps.mailer.send({ ...partsOf(deps, mail), files }, stopping),
  )
  if (delivery.outcome === 'delivered') {
    await retryWrite(() => store.markSent(deps.db, { id }))
    await cargo.tried({ because: null, isOver: true })
    return undefined
  }
  return waitFor(deps, mail, delivery)
}

const partsOf = ({ config }: Sending, mail: Begun) => ({
  to: mail.recipient,
  subject: mail.subject,
  html: mail.html,
  text: mail.text,
  messageId: mail.messageId,
  date: mail.begunAt,
  stop: mail.letter?.stop ?? null,
  thread: mail.thread === null ? null : `<deal-${mail.thread}@${domainOf(config.mailFrom)}>`,
})

function cargoOf({ carriers }: Sending, reference: string | null) {
  const [kind = '', id = ''] = reference?.split(':') ?? []
  const carrier = carriers[kind]
  return {
    async files(): Promise<Attachment[]> {
      if (reference === null) return []
      if (!carrier) throw new Error(`Nobody knows what ${reference} is`)
      return carrier.filesOf(id)
    },
    tried: async (outcome: { because: string | null; isOver: boolean }) => carrier?.tried?.(id, outcome),
  }
}

async function waitFor(deps: Sending, mail: Begun, failure: Failure): Promise<Outcome> {
  const { outcome, because } = failure
  const attempts = mail.attempts + 1
  await store.countAttempt(deps.db, { id: mail.id, because })
  const isOver = outcome === 'refused' || mail.old
  await cargoOf(deps, mail.attachment).tried({ because, isOver })
  if (isOver) {
    if (failure.isAddress && mail.userId !== null)
      await saveBounce(deps.db, { userId: mail.userId, address: mail.recipient, because })
    return giveUp(deps, mail, because)
  }
  deps.log.warn({ mail: mail.id, thread: mail.thread ?? undefined, attempts, because }, 'mail waits')
  if (outcome === 'unreachable') return { resting: true, because }
  return { againInMs: pauseBefore(attempts, outcome), because }
}

/**
 * Backs off if the server returns a temporary error; retries within a minute if it stopped
 * answering.
 */
const pauseBefore = (attempts: number, outcome: 'busy' | 'silent'): number =>
  withJitter(outcome === 'silent' ? Math.min(60_000, pauseMs(attempts)) : pauseMs(attempts))

async function giveUp(
  deps: Pick<Deps, 'db' | 'log'>,
  { id, thread }: { id: string; thread?: string | null },
  because: string,
): Promise<undefined> {
  await store.markDead(deps.db, { id, because })
  deps.log.error({ mail: id, thread: thread ?? undefined, because }, 'mail given up')
  return undefined
}
