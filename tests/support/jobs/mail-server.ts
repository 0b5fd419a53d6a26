import { onTestFinished } from 'vitest'
import type { Config } from '../../../server/config.ts'
import { runDueJobs } from '../../../server/platform/jobs/jobs.ts'
import type { FindObsoleteEmails } from '../../../server/platform/mail/claim-email.ts'
import { createEmailTasks } from '../../../server/platform/mail/email-tasks.ts'
import { type ReceiverOptions, startSmtpReceiver } from '../smtp-receiver.ts'
import type { TestServer } from '../test-server.ts'

type MailOptions = { findObsolete?: FindObsoleteEmails; dkim?: Config['dkim'] }

/** Sends due email to this mail server until the test ends. Returns the number of jobs done. */
export function createEmailSender(
  { deps }: TestServer,
  smtpUrl: string,
  options: MailOptions = {},
): () => Promise<number> {
  const { findObsolete, dkim = deps.config.dkim } = options
  const { tasks, close } = createEmailTasks(
    { ...deps, config: { ...deps.config, smtpUrl, dkim } },
    {},
    findObsolete,
  )
  onTestFinished(close)
  return () => runDueJobs(deps, tasks)
}

/** Starts a mail server for one test. `post` sends due email to it. */
export async function startMailServer(
  server: TestServer,
  receiverOptions?: ReceiverOptions,
  options?: MailOptions,
) {
  const receiver = await startSmtpReceiver(receiverOptions)
  const subjects = () => receiver.received.map(({ subject }) => subject)
  return { ...receiver, subjects, post: createEmailSender(server, receiver.url, options) }
}
