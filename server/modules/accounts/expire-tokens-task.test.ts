import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { expect, test } from 'vitest'
import { confirmedPassword } from '../../../tests/support/http/visitors.ts'
import { aNewcomer, anAdministrator, aSeller, readEmailedCode } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { retentionTasks } from '../../platform/retention/remove-old-rows.ts'
import { deleteOldUnknownVins } from '../cars/repository.ts'
import { accountRetention } from './retention.ts'
import { accountTasks } from './tasks.ts'

const server = await startTestServer()
const tasks = {
  ...accountTasks(server.deps, { cleanAlso: deleteOldUnknownVins }),
  ...retentionTasks(server.deps, accountRetention),
}

/** Advances the clock and runs the background jobs of the next minute. */
async function goTo(later: string) {
  for (const clock of [later, `${later} 61 seconds`]) {
    await server.moveClock(clock)
    await runDueJobs(server.deps, tasks)
  }
}

/** Calls `goTo`, and then sets the clock back to the start. */
async function stepBackFrom(later: string) {
  await goTo(later)
  await server.moveClock('0')
}

test('keeps an expired access token expired when the clock steps back', async () => {
  const person = await aSeller(server)
  await stepBackFrom('11 minutes')
  expect((await person.send(calls.getUser)).status).toBe(401)
  // The session has not expired, so the person stays signed in.
  expect((await person.send(calls.refresh)).status).toBe(200)
  expect((await person.send(calls.getUser)).status).toBe(200)
})

test('keeps an idle or ended session ended when the clock steps back', async () => {
  for (const later of ['8 days', '31 days']) {
    const person = await aSeller(server)
    await stepBackFrom(later)
    expect([(await person.send(calls.getUser)).status, (await person.send(calls.refresh)).status]).toEqual([
      401, 401,
    ])
    const { email, password } = person
    expect((await person.send(calls.login, { body: { email, password } })).status).toBe(200)
  }
})

test('keeps the administrator’s session expired as well', async () => {
  const administrator = await anAdministrator(server)
  await stepBackFrom('31 minutes')
  expect((await administrator.send(calls.adminRefresh)).status).toBe(401)
})

// R-safe-17
test('keeps an expired code expired when the clock steps back', async () => {
  const newcomer = await aNewcomer(server, 'BUYER')
  const code = await readEmailedCode(server, newcomer.email)
  const person = await aSeller(server)
  await person.ask(calls.forgotPassword, { body: { email: person.email } })
  const verificationCode = await readEmailedCode(server, person.email, '/password/reset')
  await stepBackFrom('25 hours')
  expect((await newcomer.send(calls.verifyEmail, { params: { code } })).status).toBe(400)
  const body = { ...confirmedPassword('green bottles on a wall'), verificationCode }
  expect((await server.browser().send(calls.resetPassword, { body })).status).toBe(400)
})

test('leaves an unexpired code unchanged', async () => {
  const newcomer = await aNewcomer(server, 'BUYER')
  await stepBackFrom('23 hours')
  const code = await readEmailedCode(server, newcomer.email)
  expect((await newcomer.send(calls.verifyEmail, { params: { code } })).status).toBe(200)
})

test('does not update expired rows again', async () => {
  await aNewcomer(server, 'BUYER')
  // The id of the transaction that last wrote each row.
  const written = () =>
    server.query(
      `select encode(hash, 'hex') as id, xmin::text from refresh_tokens union all select id, xmin::text from sessions
       union all select encode(hash, 'hex'), xmin::text from email_codes order by id`,
    )
  await goTo('30 days 1 hour')
  const once = await written()
  await goTo('30 days 1 hour 5 minutes')
  expect(await written()).toEqual(once)
  await server.moveClock('0')
})
