import {
  editUser,
  forgotPassword,
  login,
  register,
  verifyEmail,
} from '@keyturn/contract/accounts/endpoints.ts'
import { expect, test } from 'vitest'
import type { Browser } from '../../../../tests/support/browser.ts'
import { aRegistration } from '../../../../tests/support/http/visitors.ts'
import {
  aNewcomer,
  aSeller,
  readEmailedCode,
  readEmailsTo,
  type TestPerson,
} from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { runDueJobs } from '../../../platform/jobs/jobs.ts'
import { saveBounce } from '../../../platform/mail/bounces.ts'
import { createEmailTasks } from '../../../platform/mail/email-tasks.ts'
import { deleteOldUnknownVins } from '../../cars/repository.ts'
import { accountTasks } from '../tasks.ts'
import { erasePerson } from './erase-person.ts'

const server = await startTestServer()
const { deps } = server
const leave = (person: TestPerson) => transaction(deps.db, (tx) => erasePerson(deps, tx, person.id))
const subjectsTo = async (address: string) =>
  (await readEmailsTo(server, address)).map(({ subject }) => subject)

test('deletes emails to former and to unverified addresses with the account', async () => {
  const person = await aSeller(server)
  const [present, asked] = [`new-${person.email}`, `asked-${person.email}`]
  await person.ask(editUser, { body: { email: present } })
  await person.ask(verifyEmail, { params: { code: await readEmailedCode(server, present) } })
  await person.ask(login, { body: { email: present, password: person.password } })
  await person.ask(editUser, { body: { email: asked } })
  await person.ask(forgotPassword, { body: { email: present } })
  const stranger = await aSeller(server)
  for (const address of [person.email, present, asked]) expect(await subjectsTo(address)).not.toEqual([])
  for (const { id } of [person, stranger])
    await saveBounce(deps.db, { userId: id, address: person.email, because: 'no such person' })
  await leave(person)
  expect(await server.query('select user_id from mail_bounces')).toEqual([{ user_id: stranger.id }])
  expect(await subjectsTo(person.email)).toEqual([])
  expect(await subjectsTo(asked)).toEqual([])
  expect(await subjectsTo(present)).toEqual(['Your account was deleted'])
  expect(await subjectsTo(stranger.email)).toEqual(['Verify your email'])
})

test('erases nothing of other people', async () => {
  const [person, stays] = [await aSeller(server), await aNewcomer(server, 'SELLER')]
  const kept = () =>
    server.query(
      `select s::text as row from sessions s where user_id = $1 union all select c::text from email_codes c where user_id = $1
       union all select n::text from known_networks n where owner = $1 order by row`,
      [stays.id],
    )
  const before = await kept()
  expect(before).toHaveLength(3)
  await leave(person)
  expect(await kept()).toEqual(before)
})

test('deletes the final email after a day, and other emails that were queued during the erasure', async () => {
  const [person, stays] = [await aSeller(server), await aSeller(server)]
  await leave(person)
  await server.query(
    `insert into mails (id, user_id, recipient, subject, html, text) values ($1, $2, $3, 'Late', '', '')`,
    ['f'.repeat(24), person.id, person.email],
  )
  const tasks = {
    ...accountTasks(deps, { cleanAlso: deleteOldUnknownVins }),
    ...createEmailTasks(deps).tasks,
  }
  await runDueJobs(deps, tasks)
  expect(await subjectsTo(person.email)).toEqual(['Your account was deleted'])
  await server.moveClock('25 hours')
  await runDueJobs(deps, tasks)
  await server.moveClock('0')
  expect(await subjectsTo(person.email)).toEqual([])
  expect(await subjectsTo(stays.email)).toEqual(['Verify your email'])
})

test('deletes the stored responses of the registration and of the person, but not others', async () => {
  const [form, guest] = [aRegistration({ firstName: 'Quintessa' }), aRegistration({ firstName: 'Quirinus' })]
  const registered = async (browser: Browser, body: { email: string }) =>
    (await browser.send(register, { body }, { 'idempotency-key': body.email })).answer
  const { _id } = await registered(server.browser(), form)
  const second = await registered(await aNewcomer(server, 'SELLER'), guest)
  await server.query(
    `insert into idempotency_keys (owner, key, route, body_hash, status, answer)
     select owner, 'own', 'POST /x', '', 200, '{}' from unnest($1::text[]) owner`,
    [[_id, 'ip 203.0.113.9']],
  )
  for (const id of [_id, second._id]) await transaction(deps.db, (tx) => erasePerson(deps, tx, id))
  const kept = JSON.stringify(await server.query('select owner, answer from idempotency_keys'))
  for (const trace of [_id, second._id, 'Quintessa', 'Quirinus', form.email, guest.email])
    expect(kept).not.toContain(trace)
  expect(kept).toContain('203.0.113.9')
})
