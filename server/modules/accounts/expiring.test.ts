import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { expect, test } from 'vitest'
import { twice } from '../../../tests/support/http/visitors.ts'
import { aNewcomer, anAdministrator, aSeller, mailedCode } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { doDueJobs } from '../../platform/jobs/jobs.ts'
import { deleteOldUnknownVins } from '../cars/repository.ts'
import { accountJobs } from './actions.ts'

const house = await startTestServer()
const tasks = accountJobs(house.deps, { cleanAlso: deleteOldUnknownVins })

/** The clock goes ahead, and the background work has its turn within a minute. */
async function goTo(later: string) {
  for (const clock of [later, `${later} 61 seconds`]) {
    await house.moveClock(clock)
    await doDueJobs(house.deps, tasks)
  }
}

/** The same, and the clock steps back to before all that. */
async function stepBackFrom(later: string) {
  await goTo(later)
  await house.moveClock('0')
}

test('an access token that has expired stays so when the clock steps back', async () => {
  const person = await aSeller(house)
  await stepBackFrom('11 minutes')
  expect((await person.send(calls.getUser)).status).toBe(401)
  // Its session was not over: the person stays signed in.
  expect((await person.send(calls.refresh)).status).toBe(200)
  expect((await person.send(calls.getUser)).status).toBe(200)
})

test('a session that lay idle for too long, or is over, stays so when the clock steps back', async () => {
  for (const later of ['8 days', '31 days']) {
    const person = await aSeller(house)
    await stepBackFrom(later)
    expect([(await person.send(calls.getUser)).status, (await person.send(calls.refresh)).status]).toEqual([
      401, 401,
    ])
    const { email, password } = person
    expect((await person.send(calls.login, { body: { email, password } })).status).toBe(200)
  }
})

test('keeps the administrator’s session expired, too', async () => {
  const administrator = await anAdministrator(house)
  await stepBackFrom('31 minutes')
  expect((await administrator.send(calls.adminRefresh)).status).toBe(401)
})

// R-safe-17
test('a code that has expired stays so when the clock steps back', async () => {
  const newcomer = await aNewcomer(house, 'BUYER')
  const code = await mailedCode(house, newcomer.email)
  const person = await aSeller(house)
  await person.ask(calls.forgotPassword, { body: { email: person.email } })
  const verificationCode = await mailedCode(house, person.email, '/password/reset')
  await stepBackFrom('25 hours')
  expect((await newcomer.send(calls.verifyEmail, { params: { code } })).status).toBe(400)
  const body = { ...twice('green bottles on a wall'), verificationCode }
  expect((await house.browser().send(calls.resetPassword, { body })).status).toBe(400)
})

test('leaves an unexpired code unchanged', async () => {
  const newcomer = await aNewcomer(house, 'BUYER')
  await stepBackFrom('23 hours')
  const code = await mailedCode(house, newcomer.email)
  expect((await newcomer.send(calls.verifyEmail, { params: { code } })).status).toBe(200)
})

test('does not update expired rows again', async () => {
  await aNewcomer(house, 'BUYER')
  // The transaction that wrote a row last.
  const written = () =>
    house.query(
      `select encode(hash, 'hex') as id, xmin::text from refresh_tokens union all select id, xmin::text from sessions
       union all select encode(hash, 'hex'), xmin::text from email_codes order by id`,
    )
  await goTo('30 days 1 hour')
  const once = await written()
  await goTo('30 days 1 hour 5 minutes')
  expect(await written()).toEqual(once)
  await house.moveClock('0')
})
