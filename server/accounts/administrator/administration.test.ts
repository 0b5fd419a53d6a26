import {
  adminLogin,
  adminLogout,
  adminRefresh,
  approveWholesaler,
  declineWholesaler,
  forgotPassword,
  getUser,
  listMails,
  listWholesalers,
  login,
} from '@keyturn/contract/accounts/calls.ts'
import { expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { transaction } from '../../db/open.ts'
import { openBrowser } from '../../test/browser.ts'
import { openHouse } from '../../test/house.ts'
import {
  aBuyer,
  aNewcomer,
  anAdministrator,
  anUnapprovedWholesaler,
  aSeller,
  mailsTo,
} from '../../test/people.ts'
import { erasePerson } from '../actions.ts'

const house = await openHouse()
const credentials = house.deps.config.admin ?? { username: '', password: '' }
const pages = new URL('../../../dist/web/', import.meta.url)

test('the administrator signs in with a session of its own', async () => {
  const browser = house.browser()
  const sent = await browser.send(adminLogin, { body: credentials })
  expect([sent.status, [...browser.cookies.keys()]]).toEqual([200, ['aat', 'art', 'am', 'akd']])
  expect((await browser.send(listMails)).status).toBe(200)
  expect((await browser.send(getUser)).refusal.errorCode).toBe('InvalidAccessToken')
})

test('a wrong name and a wrong password are the same to the one who asks', async () => {
  const wrongs = [
    { ...credentials, password: 'something else' },
    { ...credentials, username: 'root' },
  ]
  const sent = await Promise.all(wrongs.map((body) => house.browser().send(adminLogin, { body })))
  expect(sent.map(({ status, refusal }) => [status, refusal.errorCode])).toEqual([
    [401, 'InvalidCredentials'],
    [401, 'InvalidCredentials'],
  ])
  expect(sent[0]?.body).toBe(sent[1]?.body)
  const short = await house.browser().send(adminLogin, { body: { username: 'ab', password: 'short' } })
  expect(short.refusal.errors?.map(({ path }) => path)).toEqual(['username', 'password'])
})

// R-accounts-33
test('neither kind of session passes for the other', async () => {
  const person = await aSeller(house)
  const administrator = await anAdministrator(house)
  expect((await person.send(listMails)).refusal.errorCode).toBe('InvalidAdminAccessToken')
  person.cookies.set('aat', person.cookies.get('at') ?? '')
  expect((await person.send(listMails)).status).toBe(401)
  administrator.cookies.set('at', administrator.cookies.get('aat') ?? '')
  expect((await administrator.send(getUser)).status).toBe(401)
  expect((await house.browser().send(listMails)).refusal.errorCode).toBe('InvalidAdminAccessToken')
})

test("the administrator's access lasts five minutes, idles for thirty, ends after eight hours", async () => {
  const browser = await anAdministrator(house)
  await house.moveClock('6 minutes')
  expect((await browser.send(listMails)).refusal.errorCode).toBe('InvalidAdminAccessToken')
  expect((await browser.send(adminRefresh)).status).toBe(200)
  expect((await browser.send(listMails)).status).toBe(200)
  await house.moveClock('40 minutes')
  const sent = await browser.send(adminRefresh)
  expect([sent.status, sent.refusal.errorCode, [...browser.cookies.keys()]]).toEqual([
    401,
    'InvalidAdminRefreshToken',
    ['akd'],
  ])
  await house.moveClock('0')
})

test('the administrator signs out, and other credentials end every session', async () => {
  const browser = await anAdministrator(house)
  const copy = house.browser()
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  await browser.ask(adminLogout)
  expect((await copy.send(listMails)).status).toBe(401)

  const kept = await anAdministrator(house)
  const config = { ...house.deps.config, admin: { ...credentials, password: 'another sesame 43' } }
  const app = await buildApp({ ...house.deps, config }, pages)
  const elsewhere = openBrowser(app)
  for (const [name, value] of kept.cookies) elsewhere.cookies.set(name, value)
  expect((await elsewhere.send(listMails)).status).toBe(401)
  await app.close()
  expect((await kept.send(listMails)).status).toBe(200)
})

// R-accounts-33
test('without credentials in the configuration there is no administrator', async () => {
  const app = await buildApp({ ...house.deps, config: { ...house.deps.config, admin: null } }, pages)
  expect((await openBrowser(app).send(adminLogin, { body: credentials })).status).toBe(401)
  await app.close()
})

test('the mailbox shows mails newest first', async () => {
  const person = await aBuyer(house)
  const mails = await (await anAdministrator(house)).ask(listMails)
  expect(mails[0]).toMatchObject({ to: person.email, subject: 'Verify your email' })
  expect(mails[0]?.text).toContain('/email/verify?code=')
  expect(mails[0]?.sentAt).not.toBeNull()
})

test('with a mail server there is no mailbox: letters that wait for it are their addressees’ alone', async () => {
  const outgoing = await openHouse({ SMTP_URL: 'smtp://127.0.0.1:1' })
  const person = await aNewcomer(outgoing, 'BUYER')
  await person.ask(forgotPassword, { body: { email: person.email } })
  const waiting = await outgoing.query(`select 1 from mails where text <> '' and sent_at is null`)
  expect(waiting).toHaveLength(2)
  expect(await (await anAdministrator(outgoing)).ask(listMails)).toEqual([])
})

// R-safe-14, R-accounts-2
test('approving takes effect in the open session, declining ends it, and both are told by mail', async () => {
  const wholesaler = await anUnapprovedWholesaler(house)
  const administrator = await anAdministrator(house)
  const params = { userId: wholesaler.id }
  const waiting = await administrator.ask(listWholesalers, { query: { approved: 'false' } })
  expect(waiting).toEqual([expect.objectContaining({ _id: wholesaler.id, approved: false, declined: false })])
  expect((await administrator.ask(approveWholesaler, { params })).approved).toBe(true)
  expect((await administrator.ask(approveWholesaler, { params })).approved).toBe(true)
  expect((await wholesaler.ask(getUser)).approved).toBe(true)
  expect((await mailsTo(house, wholesaler.email))[0]?.subject).toBe('Your wholesaler account is approved')
  expect(await administrator.ask(listWholesalers, { query: { approved: 'false' } })).toEqual([])

  expect(await administrator.ask(declineWholesaler, { params })).toMatchObject({
    approved: false,
    declined: true,
  })
  expect((await wholesaler.send(getUser)).status).toBe(401)
  const again = await house
    .browser()
    .ask(login, { body: { email: wholesaler.email, password: wholesaler.password } })
  expect(again.approved).toBe(false)
  const subjects = (await mailsTo(house, wholesaler.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject === 'Your wholesaler account is approved')).toHaveLength(1)
})

test('the list names wholesalers alone, and nobody who has left', async () => {
  const [stays, left] = [await anUnapprovedWholesaler(house), await anUnapprovedWholesaler(house)]
  await aBuyer(house)
  await transaction(house.deps.db, (tx) => erasePerson(house.deps, tx, left.id))
  const ids = (await (await anAdministrator(house)).ask(listWholesalers)).map(({ _id }) => _id)
  expect(ids).toContain(stays.id)
  const rows = await house.query<{ id: string }>(
    `select id from users where user_type = 'WHOLESALER' and deleted_at is null`,
  )
  expect(ids.toSorted()).toEqual(rows.map(({ id }) => id).sort())
})

test('declining someone who never had the right ends nothing', async () => {
  const wholesaler = await anUnapprovedWholesaler(house)
  await (await anAdministrator(house)).ask(declineWholesaler, { params: { userId: wholesaler.id } })
  expect((await wholesaler.ask(getUser)).approved).toBe(false)
})

test('only wholesalers are approved, and only by the administrator', async () => {
  const buyer = await aBuyer(house)
  const wholesaler = await anUnapprovedWholesaler(house)
  const administrator = await anAdministrator(house)
  for (const userId of [buyer.id, 'f'.repeat(24)])
    expect((await administrator.send(approveWholesaler, { params: { userId } })).refusal.errorCode).toBe(
      'NotFound',
    )
  const params = { userId: wholesaler.id }
  for (const call of [approveWholesaler, declineWholesaler] as const)
    expect((await wholesaler.send(call, { params })).refusal.errorCode).toBe('InvalidAdminAccessToken')
  expect((await buyer.send(listWholesalers)).status).toBe(401)
})
