import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startSmtpReceiver } from '../../../tests/support/smtp-receiver.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { runDueJobs, startJobs } from '../jobs/jobs.ts'
import { enqueueEmail } from './email-queue.ts'
import { type AttachmentSource, createEmailTasks } from './email-tasks.ts'
import { sentence } from './sentence.ts'

// Emails with slow attachments must not delay others.

const receiver = await startSmtpReceiver({ addCleanup: afterAll })
const server = await startTestServer({ SMTP_URL: receiver.url, MAIL_FROM: 'Keyturn <post@keyturn.example>' })

const letter = { subject: sentence`A test`, lines: [sentence`One`] }
const write = (email: string, attachment: 'paper:1' | null = null) =>
  enqueueEmail(server.deps, server.deps.db, { id: null, email }, letter, { attachment })

function tasksWith(filesOf: AttachmentSource['filesOf']) {
  const mail = createEmailTasks(server.deps, { paper: { filesOf } })
  onTestFinished(mail.close)
  return mail.tasks
}

// R-notifications-10
test('sends emails without attachments while others wait for theirs', async () => {
  for (let number = 0; number < 10; number++) await write(`with-${number}@example.com`, 'paper:1')
  let [asked, make] = [0, () => {}]
  const made = new Promise<void>((resolve) => {
    make = resolve
  })
  const tasks = tasksWith(async () => {
    asked++
    await made
    return []
  })
  const jobs = startJobs(server.deps, tasks)
  onTestFinished(jobs.stop)
  await expect.poll(() => asked).toBe(4)
  await write('without@example.com')
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(1)
  expect(receiver.received[0]?.to).toBe('without@example.com')
  make()
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(11)
  await jobs.stop()
})

// R-notifications-10
test('retries within 30 s when the file generator is busy, without counting an attempt', async () => {
  await write('later@example.com', 'paper:1')
  const content = Date.now()
  const at = (seconds: number) => server.stopClock(new Date(content + seconds * 1000).toISOString())
  await at(1)
  const busy = tasksWith(async () => {
    throw apiErrors.Unavailable()
  })
  const waits = () =>
    server.query<{ attempts: number; seconds: number }>(
      `select mails.attempts, extract(epoch from run_at - keyturn_now())::int as seconds
       from mails join jobs on payload ->> 'id' = mails.id where recipient = 'later@example.com'`,
    )
  await runDueJobs(server.deps, busy)
  expect(await waits()).toEqual([{ attempts: 0, seconds: 1 }])
  await at(3)
  // Simulates a queue that was full for hours.
  await server.query('update jobs set attempts = 500')
  await runDueJobs(server.deps, busy)
  expect(await waits()).toEqual([{ attempts: 0, seconds: 30 }])
})
