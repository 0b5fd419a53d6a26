import { onTestFinished } from 'vitest'
import type { Config } from '../../../server/config.ts'
import { runDueJobs } from '../../../server/platform/jobs/jobs.ts'
import type { FindObsolete } from '../../../server/platform/mail/claim-mail.ts'
import { mailJobs } from '../../../server/platform/mail/mail-jobs.ts'
import { aReceiver, type ReceiverOptions } from '../smtp-receiver.ts'
import type { TestServer } from '../test-server.ts'

type MailOptions = { findObsolete?: FindObsolete; dkim?: Config['dkim'] }

/** Sends due email to this mail server until the test ends. Returns the number of jobs done. */
export function aPostOffice(
  { deps }: TestServer,
  smtpUrl: string,
  options: MailOptions = {},
): () => Promise<number> {
  const { findObsolete, dkim = deps.config.dkim } = options
  const { tasks, close } = mailJobs({ ...deps, config: { ...deps.config, smtpUrl, dkim } }, {}, findObsolete)
  onTestFinished(close)
  return () => runDueJobs(deps, tasks)
}

/** Starts a mail server for one test. `post` sends due email to it. */
export async function aMailServer(
  server: TestServer,
  receiverOptions?: ReceiverOptions,
  options?: MailOptions,
) {
  const receiver = await aReceiver(receiverOptions)
  const subjects = () => receiver.received.map(({ subject }) => subject)
  return { ...receiver, subjects, post: aPostOffice(server, receiver.url, options) }
}
