import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { expect, test } from 'vitest'
import { createTestClient } from '../../../../tests/support/browser.ts'
import { copyBrowser } from '../../../../tests/support/http/visitors.ts'
import {
  aBuyer,
  aNewcomer,
  anAdministrator,
  anUnapprovedWholesaler,
  aSeller,
  readEmailsTo,
} from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { buildApp } from '../../../app.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { erasePerson } from '../people/erase-person.ts'

const server = await startTestServer()
const credentials = server.deps.config.admin ?? { username: '', password: '' }
const pages = new URL('../../../../dist/web/', import.meta.url)

test('signs in the administrator with a separate session', async () => {
  const browser = server.browser()
  await browser.ask(calls.adminLogin, { body: credentials })
  expect([...browser.cookies.keys()]).toEqual(['aat', 'art', 'am', 'akd'])
  expect((await browser.send(calls.listEmails)).status).toBe(200)
  expect((await browser.send(calls.getUser)).error.errorCode).toBe('InvalidAccessToken')
})

test('returns the same error for a wrong name and a wrong password', async () => {
  const bodies = new Set<string>()
  for (const wrong of [{ password: 'something else' }, { username: 'root' }]) {
    const sent = await server.browser().send(calls.adminLogin, { body: { ...credentials, ...wrong } })
    expect([sent.status, sent.error.errorCode]).toEqual([401, 'InvalidCredentials'])
    bodies.add(sent.body)
  }
  expect(bodies.size).toBe(1)
})

// R-accounts-33
test('accepts neither kind of session in place of the other', async () => {
  const person = await aSeller(server)
  const administrator = await anAdministrator(server)
  expect((await person.send(calls.listEmails)).error.errorCode).toBe('InvalidAdminAccessToken')
  person.cookies.set('aat', person.cookies.get('at') ?? '')
  expect((await person.send(calls.listEmails)).status).toBe(401)
  administrator.cookies.set('at', administrator.cookies.get('aat') ?? '')
  expect((await administrator.send(calls.getUser)).status).toBe(401)
  expect((await server.browser().send(calls.listEmails)).error.errorCode).toBe('InvalidAdminAccessToken')
})

test("ends an administrator's access after 5 minutes, and an idle session after 30 minutes", async () => {
  const browser = await anAdministrator(server)
  await server.moveClock('6 minutes')
  expect((await browser.send(calls.listEmails)).error.errorCode).toBe('InvalidAdminAccessToken')
  expect((await browser.send(calls.adminRefresh)).status).toBe(200)
  expect((await browser.send(calls.listEmails)).status).toBe(200)
  await server.moveClock('40 minutes')
  const sent = await browser.send(calls.adminRefresh)
  expect([sent.status, sent.error.errorCode, [...browser.cookies.keys()]]).toEqual([
    401,
    'InvalidAdminRefreshToken',
    ['akd'],
  ])
  await server.moveClock('0')
})

test('ends the session when the administrator signs out or the configured password changes', async () => {
  const browser = await anAdministrator(server)
  const copy = copyBrowser(server, browser)
  await browser.ask(calls.adminLogout)
  expect((await copy.send(calls.listEmails)).status).toBe(401)

  const kept = await anAdministrator(server)
  const config = {
    ...server.deps.config,
    admin: { ...credentials, totpSecret: null, password: 'another sesame 43' },
  }
  const app = await buildApp({ ...server.deps, config }, pages)
  const elsewhere = copyBrowser({ ...server, browser: () => createTestClient(app) }, kept)
  expect((await elsewhere.send(calls.listEmails)).status).toBe(401)
  await app.close()
  expect((await kept.send(calls.listEmails)).status).toBe(200)
})

// R-accounts-33
test('rejects every administrator sign-in when no credentials are configured', async () => {
  const app = await buildApp({ ...server.deps, config: { ...server.deps.config, admin: null } }, pages)
  expect((await createTestClient(app).send(calls.adminLogin, { body: credentials })).status).toBe(401)
  await app.close()
})

test('lists the newest email of the mailbox first', async () => {
  const person = await aBuyer(server)
  const [newest] = await (await anAdministrator(server)).ask(calls.listEmails)
  expect(newest).toMatchObject({
    to: person.email,
    subject: 'Verify your email',
    text: expect.stringContaining('/email/verify?code='),
    sentAt: expect.any(String),
  })
})

test('hides pending emails from the mailbox when a mail server is configured', async () => {
  const outgoing = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1' })
  const person = await aNewcomer(outgoing, 'BUYER')
  await person.ask(calls.forgotPassword, { body: { email: person.email } })
  const waiting = await outgoing.query(`select 1 from mails where text <> '' and sent_at is null`)
  expect(waiting).toHaveLength(2)
  expect(await (await anAdministrator(outgoing)).ask(calls.listEmails)).toEqual([])
})

// R-safe-14, R-accounts-2
test('applies an approval to the open session, ends it on a denial, and emails the wholesaler both times', async () => {
  const wholesaler = await anUnapprovedWholesaler(server)
  const administrator = await anAdministrator(server)
  const params = { userId: wholesaler.id }
  const waiting = await administrator.ask(calls.listWholesalers, { query: { approved: 'false' } })
  expect(waiting).toEqual([expect.objectContaining({ _id: wholesaler.id, approved: false, declined: false })])
  expect((await administrator.ask(calls.approveWholesaler, { params })).approved).toBe(true)
  expect((await administrator.ask(calls.approveWholesaler, { params })).approved).toBe(true)
  expect((await wholesaler.ask(calls.getUser)).approved).toBe(true)
  expect((await readEmailsTo(server, wholesaler.email))[0]?.subject).toBe(
    'Your wholesaler account is approved',
  )
  expect(await administrator.ask(calls.listWholesalers, { query: { approved: 'false' } })).toEqual([])

  const declined = { approved: false, declined: true }
  expect(await administrator.ask(calls.declineWholesaler, { params })).toMatchObject(declined)
  expect((await wholesaler.send(calls.getUser)).status).toBe(401)
  const { email, password } = wholesaler
  expect((await server.browser().ask(calls.login, { body: { email, password } })).approved).toBe(false)
  const subjects = (await readEmailsTo(server, wholesaler.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject === 'Your wholesaler account is approved')).toHaveLength(1)
})

test('lists only wholesalers who are not deleted', async () => {
  const [stays, left] = [await anUnapprovedWholesaler(server), await anUnapprovedWholesaler(server)]
  await aBuyer(server)
  await transaction(server.deps.db, (tx) => erasePerson(server.deps, tx, left.id))
  const ids = (await (await anAdministrator(server)).ask(calls.listWholesalers)).map(({ _id }) => _id)
  expect(ids).toContain(stays.id)
  const rows = await server.query<{ id: string }>(
    `select id from users where user_type = 'WHOLESALER' and deleted_at is null`,
  )
  expect(ids.toSorted()).toEqual(rows.map(({ id }) => id).sort())
})

test('keeps the session of an unapproved wholesaler who is declined', async () => {
  const wholesaler = await anUnapprovedWholesaler(server)
  await (await anAdministrator(server)).ask(calls.declineWholesaler, { params: { userId: wholesaler.id } })
  expect((await wholesaler.ask(calls.getUser)).approved).toBe(false)
})

test('approves only wholesalers', async () => {
  const administrator = await anAdministrator(server)
  for (const userId of [(await aBuyer(server)).id, 'f'.repeat(24)]) {
    const { error } = await administrator.send(calls.approveWholesaler, { params: { userId } })
    expect(error.errorCode).toBe('NotFound')
  }
})
