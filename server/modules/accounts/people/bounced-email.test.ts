import {
  listQueuedEmails,
  readEmailStatus,
  resendEmail,
  sendAddressCheck,
} from '@keyturn/contract/accounts/email-endpoints.ts'
import { editUser, verifyEmail } from '@keyturn/contract/accounts/endpoints.ts'
import { expect, onTestFinished, test } from 'vitest'
import {
  anAdministrator,
  aSeller,
  readEmailedCode,
  type TestPerson,
} from '../../../../tests/support/people.ts'
import { startSmtpReceiver } from '../../../../tests/support/smtp-receiver.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { runDueJobs } from '../../../platform/jobs/jobs.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import { createEmailTasks } from '../../../platform/mail/email-tasks.ts'
import { sentence } from '../../../platform/mail/sentence.ts'

const server = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1' })
const letter = { subject: sentence`An offer of $9,500`, lines: [sentence`One`] }
const write = ({ id, email }: { id: string; email: string }) =>
  enqueueEmail(server.deps, server.deps.db, { id, email }, letter, { kind: 'offers' })

/** Starts a mail server that returns these codes once each, and then accepts. */
async function aPostman(answers: number[]) {
  const receiver = await startSmtpReceiver({ answer: (tries) => answers[tries - 1] })
  const config = { ...server.deps.config, smtpUrl: receiver.url }
  const { tasks, close } = createEmailTasks({ ...server.deps, config })
  onTestFinished(async () => {
    close()
    await server.moveClock('0')
  })
  let minutes = 0
  const go = async () => {
    minutes += 3
    await server.moveClock(`${minutes} minutes`)
    await runDueJobs(server.deps, tasks)
  }
  return { receiver, go }
}

async function aReader(): Promise<TestPerson> {
  const person = await aSeller(server)
  await server.query('delete from jobs')
  await server.query('delete from mails')
  return person
}

// R-notifications-12
test('shows a bounced address to its owner, and clears it after the verification link is opened', async () => {
  const person = await aReader()
  const { receiver, go } = await aPostman([550])
  expect(await person.ask(readEmailStatus)).toEqual({ returned: [] })
  await write(person)
  await go()
  expect(await person.ask(readEmailStatus)).toEqual({
    returned: [{ address: person.email, at: expect.any(String), isNew: false }],
  })
  expect((await person.ask(sendAddressCheck)).message).toContain(person.email)
  const code = await readEmailedCode(server, person.email)
  await go()
  expect(receiver.received).toHaveLength(1)
  await person.ask(verifyEmail, { params: { code } })
  expect(await person.ask(readEmailStatus)).toEqual({ returned: [] })
  await write(person)
  await go()
  expect(receiver.received).toHaveLength(2)
})

// R-notifications-12
test('sends emails to a changed address again, and reports when the link to it bounces', async () => {
  const person = await aReader()
  const { receiver, go } = await aPostman([550, 550])
  await write(person)
  await go()
  const lost = `lost-${person.email}`
  await person.ask(editUser, { body: { email: lost, currentPassword: person.password } })
  await server.query('delete from mails where recipient = $1', [person.email])
  await go()
  const { returned } = await person.ask(readEmailStatus)
  expect(Object.fromEntries(returned.map(({ address, isNew }) => [address, isNew]))).toEqual({
    [lost]: true,
    [person.email]: false,
  })
  const found = `found-${person.email}`
  await person.ask(editUser, { body: { email: found, currentPassword: person.password } })
  const code = await readEmailedCode(server, found)
  await go()
  await person.ask(verifyEmail, { params: { code } })
  expect(await person.ask(readEmailStatus)).toEqual({ returned: [] })
  await write({ ...person, email: found })
  await go()
  expect(receiver.received.at(-1)?.to).toBe(found)
})

// R-notifications-15
test('lists pending and failed emails without their text to an administrator, who can resend them', async () => {
  const person = await aReader()
  const { receiver, go } = await aPostman([550, 451])
  await write(person)
  await go()
  await write({ ...person, email: `other-${person.email}` })
  await go()
  const administrator = await anAdministrator(server)
  const queue = await administrator.ask(listQueuedEmails)
  expect(queue).toMatchObject({ outgoing: true, waiting: 1, failed: 1 })
  const [failed, waiting] = queue.mails
  const because = expect.stringContaining('550')
  const its = { to: person.email, kind: 'offers', state: 'FAILED', tries: 1, canBeSentAgain: true, because }
  expect(failed).toMatchObject(its)
  const nextTryAt = expect.any(String)
  expect(waiting).toMatchObject({ state: 'WAITING', tries: 1, canBeSentAgain: false, nextTryAt })
  expect(JSON.stringify(queue)).not.toContain('9,500')
  const again = (mailId = '') => administrator.send(resendEmail, { params: { mailId } })
  expect((await again(waiting?._id)).error.errorCode).toBe('NotFound')
  expect((await again(failed?._id)).status).toBe(200)
  await go()
  expect(receiver.received.map(({ to }) => to).sort()).toEqual([`other-${person.email}`, person.email].sort())
  expect(await administrator.ask(listQueuedEmails)).toMatchObject({ waiting: 0, failed: 0, mails: [] })
  expect(await person.ask(readEmailStatus)).toEqual({ returned: [] })
})
