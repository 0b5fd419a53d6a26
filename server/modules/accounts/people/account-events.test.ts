import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { confirmedPassword } from '../../../../tests/support/http/visitors.ts'
import {
  aNewcomer,
  anAdministrator,
  anUnapprovedWholesaler,
  aSeller,
  readEmailedCode,
} from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

const server = await startTestServer()
type Event = { actor: string; event: string; fields: string[]; session: boolean }
const eventsOf = (id: string) =>
  server.query<Event>(
    `select actor, event, fields, session_id is not null as session from account_events where user_id = $1 order by id`,
    [id],
  )
const event = (actor: string, name: string, fields: string[] = [], session = true): Event => ({
  actor,
  event: name,
  fields,
  session,
})

// R-accounts-38
test('records each account event once, with the names of fields but not their values', async () => {
  const person = await aSeller(server)
  const email = `moved-${person.email}`
  await person.ask(calls.editUser, { body: { lastName: 'Byron', phoneNumber: person.phoneNumber } })
  await person.ask(calls.editUser, { body: { lastName: 'Byron' } })
  await person.ask(calls.editUser, { body: { email } })
  const code = await readEmailedCode(server, email)
  for (let i = 0; i < 2; i++) await person.ask(calls.verifyEmail, { params: { code } })
  const password = 'seven green bottles'
  const both = confirmedPassword(password)
  const change = { ...both, changePasswordId: person.id, currentPassword: person.password }
  await person.ask(calls.changePassword, { body: change })
  await person.ask(calls.forgotPassword, { body: { email } })
  const verificationCode = await readEmailedCode(server, email, '/password/reset')
  await person.ask(calls.resetPassword, { body: { ...both, verificationCode } })
  await person.ask(calls.login, { body: { email, password } })
  await person.ask(deleteUser, { params: { userType: 'SELLER', id: person.id } })
  expect(await eventsOf(person.id)).toEqual([
    event('PERSON', 'registered', [], false),
    event('CODE', 'verified', [], false),
    event('PERSON', 'edited', ['lastName']),
    event('PERSON', 'edited', ['pendingEmail']),
    event('CODE', 'verified', ['email'], false),
    event('PERSON', 'passwordChanged'),
    event('CODE', 'passwordReset', [], false),
    event('PERSON', 'deleted', [], false),
  ])
  const all = JSON.stringify(
    await server.query('select * from account_events where user_id = $1', [person.id]),
  )
  for (const trace of ['Byron', person.email, person.phoneNumber]) expect(all).not.toContain(trace)
})

test('records the administrator’s decisions only when they change something', async () => {
  const { id } = await anUnapprovedWholesaler(server)
  const administrator = await anAdministrator(server)
  for (const call of [calls.approveWholesaler, calls.approveWholesaler, calls.declineWholesaler])
    await administrator.ask(call, { params: { userId: id } })
  expect((await eventsOf(id)).slice(2)).toEqual([event('ADMIN', 'approved'), event('ADMIN', 'declined')])
})

// R-accounts-38
test('rolls back a change whose event cannot be stored, and never changes an event', async () => {
  const person = await aNewcomer(server, 'BUYER')
  await server.query(`create function refuse_events() returns trigger language plpgsql as
    $$ begin raise exception 'not now'; end $$`)
  await server.query(
    'create trigger no_events before insert on account_events for each row execute function refuse_events()',
  )
  try {
    expect((await person.send(calls.editUser, { body: { lastName: 'Byron' } })).status).toBe(500)
    const params = { code: await readEmailedCode(server, person.email) }
    expect((await person.send(calls.verifyEmail, { params })).status).toBe(500)
  } finally {
    await server.query('drop trigger no_events on account_events')
  }
  expect(await person.ask(calls.getUser)).toMatchObject({ lastName: person.lastName, verified: false })
  for (const statement of ['delete from account_events', `update account_events set event = 'deleted'`])
    await expect(server.query(statement)).rejects.toThrow('never changed')
})
