import { onTestFinished } from 'vitest'
import type { Config } from '../../../server/config.ts'
import { runDueJobs } from '../../../server/platform/jobs/jobs.ts'
import type { FindObsolete } from '../../../server/platform/mail/claim-mail.ts'
import { mailJobs } from '../../../server/platform/mail/mail-jobs.ts'
import { aReceiver, type Manners } from '../smtp-receiver.ts'
import type { TestServer } from '../test-server.ts'

type Wishes = { findObsolete?: FindObsolete; dkim?: Config['dkim'] }

/** Sends due email to this mail server until the test ends. Returns the number of jobs done. */
export function aPostOffice(
  { deps }: TestServer,
  smtpUrl: string,
  wishes: Wishes = {},
): () => Promise<number> {
  const { findObsolete, dkim = deps.config.dkim } = wishes
  const { tasks, close } = mailJobs({ ...deps, config: { ...deps.config, smtpUrl, dkim } }, {}, findObsolete)
  onTestFinished(close)
  return () => runDueJobs(deps, tasks)
}

/** Starts a real mail server for one test, and sends due email to it. */
export async function aMailServer(house: TestServer, manners?: Manners, wishes?: Wishes) {
  const receiver = await aReceiver(manners)
  const subjects = () => receiver.received.map(({ subject }) => subject)
  return { ...receiver, subjects, post: aPostOffice(house, receiver.url, wishes) }
}
