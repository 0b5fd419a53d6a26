import type { Deps } from '../../deps.ts'
import { type Attachment, type Failure, type Mailer, smtpMailer } from '../../integrations/smtp/mailer.ts'
import { describeError } from '../../shared/describe-error.ts'
import { retryWrite } from '../../shared/retry-write.ts'
import {
  busyRetryMs,
  isDatabaseBusy,
  type JobOutcome,
  retryDelayMs,
  type Task,
  type Tasks,
  withJitter,
} from '../jobs/jobs.ts'
import { withSpan } from '../telemetry/with-span.ts'
import { saveBounce } from './bounces.ts'
import { type ClaimedEmail, claimEmail, domainOfAddress, type FindObsoleteEmails } from './claim-email.ts'
import { sendEmailJob, sendEmailWithFilesJob } from './email-queue.ts'
import * as store from './email-repository.ts'

/** Creates the attachments of one kind of email; `start/job-runner.ts` passes them in. */
export type AttachmentSource = {
  filesOf(id: string): Promise<Attachment[]>
  /** Called after each attempt. `because` is null on success; `isOver`: no more attempts. */
  tried?(id: string, outcome: { because: string | null; isOver: boolean }): Promise<void>
}
export type AttachmentSources = Readonly<Record<string, AttachmentSource>>

/**
 * Jobs that send emails. The queue pauses while the server is unreachable, and keeps its order.
 * Call `close` after the jobs have stopped.
 */
export function createEmailTasks(
  deps: Pick<Deps, 'db' | 'log' | 'config'>,
  attachmentSources: AttachmentSources = {},
  findObsolete: FindObsoleteEmails = async () => [],
): { tasks: Tasks; close: () => void } {
  const { smtpUrl, mailFrom, dkim } = deps.config
  const mailer = smtpUrl ? smtpMailer(smtpUrl, mailFrom, dkim) : null
  const task: Task = {
    places: 4,
    isOutbound: true,
    run: async ({ id }, about) =>
      mailer ? sendOne({ ...deps, attachmentSources, findObsolete, mailer }, String(id), about) : undefined,
  }
  return { tasks: { [sendEmailJob]: task, [sendEmailWithFilesJob]: task }, close: () => mailer?.close() }
}

type EmailTaskDeps = Pick<Deps, 'db' | 'log' | 'config'> & {
  attachmentSources: AttachmentSources
  findObsolete: FindObsoleteEmails
  mailer: Mailer
}

async function sendOne(
  deps: EmailTaskDeps,
  id: string,
  { attempts, stopping }: Parameters<Task['run']>[1],
): Promise<JobOutcome> {
  const claim = await claimEmail(deps, id)
  if ('isGone' in claim) return undefined
  if ('delayMs' in claim) return { againInMs: claim.delayMs }
  if ('failure' in claim) return giveUp(deps, { id }, claim.failure)
  const mail = claim.begun
  const attachments = attachmentsOf(deps, mail.attachment)
  const files = await attachments.files().catch((error: unknown) => ({ error }))
  if ('error' in files) {
    const because = describeError(files.error)
    // The generator is busy, so this does not count as an attempt.
    if (isDatabaseBusy(files.error) && !mail.isOld) return { againInMs: busyRetryMs(attempts), because }
    return recordFailure(deps, mail, { outcome: 'busy', because })
  }
  const delivery = await withSpan(
    {
      name: 'mail',
      kind: 'client',
      about: { 'keyturn.mail': id, 'keyturn.thread': mail.thread ?? undefined },
    },
    () => deps.mailer.send({ ...messageOf(deps, mail), files }, stopping),
  )
  if (delivery.outcome === 'delivered') {
    await retryWrite(() => store.markEmailSent(deps.db, { id }))
    await attachments.tried({ because: null, isOver: true })
    return undefined
  }
  return recordFailure(deps, mail, delivery)
}

const messageOf = ({ config }: EmailTaskDeps, mail: ClaimedEmail) => ({
  to: mail.recipient,
  subject: mail.subject,
  html: mail.html,
  text: mail.text,
  messageId: mail.messageId,
  date: mail.begunAt,
  stop: mail.letter?.stop ?? null,
  thread: mail.thread === null ? null : `<deal-${mail.thread}@${domainOfAddress(config.mailFrom)}>`,
})

function attachmentsOf({ attachmentSources }: EmailTaskDeps, reference: string | null) {
  const [kind = '', id = ''] = reference?.split(':') ?? []
  const carrier = attachmentSources[kind]
  return {
    async files(): Promise<Attachment[]> {
      if (reference === null) return []
      if (!carrier) throw new Error(`There is no source for the attachment ${reference}`)
      return carrier.filesOf(id)
    },
    tried: async (outcome: { because: string | null; isOver: boolean }) => carrier?.tried?.(id, outcome),
  }
}

async function recordFailure(deps: EmailTaskDeps, mail: ClaimedEmail, failure: Failure): Promise<JobOutcome> {
  const { outcome, because } = failure
  const attempts = mail.attempts + 1
  await store.countEmailAttempt(deps.db, { id: mail.id, because })
  const isOver = outcome === 'refused' || mail.isOld
  await attachmentsOf(deps, mail.attachment).tried({ because, isOver })
  if (isOver) {
    if (failure.isAddress && mail.userId !== null)
      await saveBounce(deps.db, { userId: mail.userId, address: mail.recipient, because })
    return giveUp(deps, mail, because)
  }
  deps.log.warn(
    { mail: mail.id, thread: mail.thread ?? undefined, attempts, because },
    'the email was not sent and will be retried',
  )
  if (outcome === 'unreachable') return { resting: true, because }
  return { againInMs: retryDelayOf(attempts, outcome), because }
}

/** Backs off after a temporary error; retries within a minute if the server did not answer. */
const retryDelayOf = (attempts: number, outcome: 'busy' | 'silent'): number =>
  withJitter(outcome === 'silent' ? Math.min(60_000, retryDelayMs(attempts)) : retryDelayMs(attempts))

async function giveUp(
  deps: Pick<Deps, 'db' | 'log'>,
  { id, thread }: { id: string; thread?: string | null },
  because: string,
): Promise<undefined> {
  await store.markEmailFailed(deps.db, { id, because })
  deps.log.error(
    { mail: id, thread: thread ?? undefined, because },
    'the email was not sent and will not be retried',
  )
  return undefined
}
