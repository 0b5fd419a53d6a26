import * as calls from '@keyturn/contract/accounts/administrators.ts'
import { adminLogin, listEmails, listWholesalers } from '@keyturn/contract/accounts/endpoints.ts'
import { readPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { addDealer, editDealer } from '@keyturn/contract/dealers/endpoints.ts'
import { completeDeal, getBuyer, removeListing } from '@keyturn/contract/deals/endpoints.ts'
import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import type { Browser } from '../../../../tests/support/browser.ts'
import {
  aBuyer,
  aNamedAdministrator,
  anAdministrator,
  readEmailsTo,
} from '../../../../tests/support/people.ts'
import { aListing, aSaleAt, readProgressOf } from '../../../../tests/support/sales/deals.ts'
import { connectClient, waitForLockWait } from '../../../../tests/support/second-session.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { buildApp } from '../../../app.ts'
import { signOutEverybody } from '../sessions/sign-out-everybody.ts'
import { findAdminEventsAbout } from './admin-events.ts'

const adminEmail = 'operator@example.com'
const server = await startTestServer({ ADMIN_EMAIL: adminEmail })
const settings = await anAdministrator(server)

type Recorded = { act: string; administrator: string; person: string | null; subject: string | null }
const events = (administratorId: string) =>
  server.query<Recorded>(
    `select act, administrator, person_id as person, subject from admin_events
     where administrator_id = $1 order by id desc`,
    [administratorId],
  )
const epoch = async () => {
  const [row] = await server.query<{ s: number }>('select extract(epoch from keyturn_now())::float8 as s')
  return row?.s ?? 0
}
const codeOf = async (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(await epoch()) + 30 * steps })

async function enroll(browser: Browser) {
  const { secret, uri } = await browser.ask(calls.startEnrollment)
  expect(uri).toContain(secret)
  const code = await codeOf(secret)
  const { recoveryCodes } = await browser.ask(calls.finishEnrollment, { body: { code } })
  return { secret, code, recoveryCodes }
}

const signIn = ({ username, password }: { username: string; password: string }, code?: string) =>
  server.browser().send(adminLogin, { body: { username, password, ...(code && { code }) } })

// R-accounts-53
test('lets support read, and rejects what only an operator may do with a sentence', async () => {
  const support = await aNamedAdministrator(server, 'SUPPORT')
  expect((await support.send(listWholesalers)).status).toBe(200)
  expect((await support.send(listEmails)).error.errorCode).toBe('OperatorRequired')
  const { car } = await aListing(server)
  const sent = await support.send(removeListing, { params: { carId: car._id }, body: { reason: 'Fraud' } })
  expect([sent.status, sent.error.errorCode]).toEqual([403, 'OperatorRequired'])
  expect(sent.error.message).toBe('Your role is view-only. Please ask an operator to do this.')
})

// R-accounts-54
test('accepts an invitation once, and applies a change of role to open sessions', async () => {
  const { administrator, invitation } = await settings.ask(calls.inviteAdministrator, {
    body: { name: 'Robin Vale', username: 'Robin.Vale', role: 'SUPPORT' },
  })
  expect(administrator).toMatchObject({ username: 'robin.vale', state: 'INVITED', role: 'SUPPORT' })
  const code = new URLSearchParams(new URL(invitation ?? '').hash.slice(1)).get('code') ?? ''
  const body = { code, password: 'quiet harbour 12', confirmPassword: 'quiet harbour 12' }
  const browser = server.browser()
  await browser.ask(calls.acceptInvitation, { body })
  expect((await server.browser().send(calls.acceptInvitation, { body })).error.errorCode).toBe(
    'InvalidInvitation',
  )
  expect((await browser.ask(calls.readMe)).role).toBe('SUPPORT')
  const params = { administratorId: administrator._id }
  await settings.ask(calls.changeAdministrator, { params, body: { change: 'makeOperator' } })
  expect((await browser.ask(calls.readMe)).role).toBe('OPERATOR')
  await settings.ask(calls.changeAdministrator, { params, body: { change: 'disable' } })
  expect((await browser.send(calls.readMe)).status).toBe(401)
  expect((await signIn({ username: 'robin.vale', password: body.password })).status).toBe(401)
  const again = { name: 'Robin Vale', username: 'robin.vale', role: 'SUPPORT' } as const
  expect((await settings.send(calls.inviteAdministrator, { body: again })).error.errorCode).toBe('NameTaken')
})

// R-accounts-54
test('lets nobody change their own account, and leaves one of two operators who disable each other', async () => {
  const one = await aNamedAdministrator(server, 'OPERATOR')
  const other = await aNamedAdministrator(server, 'OPERATOR')
  const disable = (by: Browser, id: string) =>
    by.send(calls.changeAdministrator, { params: { administratorId: id }, body: { change: 'disable' } })
  expect((await disable(one, one.id)).error.errorCode).toBe('OwnAccount')
  const sent = await Promise.all([disable(one, other.id), disable(other, one.id)])
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 403])
  const active = await server.query(
    'select 1 from administrators where id = any($1) and disabled_at is null',
    [[one.id, other.id]],
  )
  expect(active).toHaveLength(1)
})

// R-accounts-54, R-accounts-55, R-accounts-59
test('removes the app with a new invitation, and emails the operator when somebody accepts it', async () => {
  const administrator = await aNamedAdministrator(server, 'SUPPORT')
  await enroll(administrator)
  const params = { administratorId: administrator.id }
  const { invitation } = await settings.ask(calls.changeAdministrator, {
    params,
    body: { change: 'inviteAgain' },
  })
  const code = new URLSearchParams(new URL(invitation ?? '').hash.slice(1)).get('code') ?? ''
  const setPassword = (password: string) =>
    server.browser().send(calls.acceptInvitation, { body: { code, password, confirmPassword: password } })
  expect((await setPassword('Morgan Vale')).error.errorCode).toBe('CommonPassword')
  const before = (await readEmailsTo(server, adminEmail)).length
  expect((await setPassword('another harbour 12')).status).toBe(200)
  const mails = await readEmailsTo(server, adminEmail)
  expect(mails).toHaveLength(before + 1)
  expect(mails[0]?.subject).toBe('An administrator signed in from a new network')
  const again = { username: administrator.username, password: 'another harbour 12' }
  expect((await signIn(again)).status).toBe(200)
})

// R-accounts-59
test('emails the operator when somebody with the right password enters a wrong code', async () => {
  const administrator = await aNamedAdministrator(server, 'SUPPORT')
  await enroll(administrator)
  await signIn({ ...administrator, password: 'wrong sesame 42' })
  const before = (await readEmailsTo(server, adminEmail)).length
  expect((await signIn(administrator, '000000')).error.errorCode).toBe('InvalidAdminCode')
  const mails = await readEmailsTo(server, adminEmail)
  expect(mails).toHaveLength(before + 1)
  expect(mails[0]?.text).toContain(administrator.username)
})

// R-accounts-55
test('asks for a code after the password, accepts each code once, and recovery codes once', async () => {
  const administrator = await aNamedAdministrator(server, 'OPERATOR')
  const { secret, code, recoveryCodes } = await enroll(administrator)
  expect(recoveryCodes).toHaveLength(10)
  const [stored] = await server.query<{ secret: Buffer }>(
    'select totp_secret as secret from administrators where id = $1',
    [administrator.id],
  )
  expect(stored?.secret.toString('latin1')).not.toContain(secret)
  expect((await signIn({ ...administrator, password: 'wrong sesame 42' })).error.errorCode).toBe(
    'InvalidCredentials',
  )
  expect((await signIn(administrator)).error.errorCode).toBe('AdminCodeRequired')
  // The code that confirmed the app counts as used.
  expect((await signIn(administrator, code)).error.errorCode).toBe('InvalidAdminCode')
  const next = await codeOf(secret, 1)
  const together = await Promise.all([signIn(administrator, next), signIn(administrator, next)])
  expect(together.map(({ status }) => status).sort()).toEqual([200, 401])
  expect((await signIn(administrator, await codeOf(secret, 3))).error.errorCode).toBe('InvalidAdminCode')
  const recovery = recoveryCodes[0] ?? ''
  expect((await signIn(administrator, recovery.match(/.{4}/g)?.join('-'))).status).toBe(200)
  expect((await signIn(administrator, recovery)).error.errorCode).toBe('InvalidAdminCode')
  const params = { administratorId: administrator.id }
  await settings.ask(calls.changeAdministrator, { params, body: { change: 'removeCodes' } })
  expect((await signIn(administrator)).status).toBe(200)
})

// R-accounts-55
test('ends the other sessions of an administrator who sets up the app', async () => {
  const administrator = await aNamedAdministrator(server, 'OPERATOR')
  const other = server.browser()
  await other.ask(adminLogin, {
    body: { username: administrator.username, password: administrator.password },
  })
  expect((await other.send(listWholesalers)).status).toBe(200)
  await enroll(administrator)
  expect((await other.send(listWholesalers)).status).toBe(401)
  expect((await administrator.send(listWholesalers)).status).toBe(200)
})

// R-accounts-55
test('asks for a code if the app was set up during the sign-in', async () => {
  const administrator = await aNamedAdministrator(server, 'OPERATOR')
  const other = await connectClient(server.databaseUrl)
  await other.query('begin')
  await other.query(
    `update administrators set totp_secret = '\\x00', totp_confirmed_at = keyturn_now() where id = $1`,
    [administrator.id],
  )
  const signedIn = signIn(administrator)
  await waitForLockWait(server)
  await other.query('commit')
  expect((await signedIn).error.errorCode).toBe('AdminCodeRequired')
})

// R-accounts-55
test('opens only the enrollment to an administrator without an app in production', async () => {
  const production = { ...server.deps, config: { ...server.deps.config, production: true } }
  const administrator = await aNamedAdministrator(server, 'OPERATOR')
  const app = await buildApp(production, new URL('.', import.meta.url))
  try {
    const cookie = [...administrator.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const ask = (url: string, method: 'GET' | 'POST' = 'GET') =>
      app.inject({ method, url, headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    expect((await ask('/admin/me')).json()).toMatchObject({ mustEnroll: true, hasCodes: false })
    const closed = await ask('/admin/wholesalers')
    expect([closed.statusCode, closed.json().errorCode]).toEqual([403, 'CodesRequired'])
    expect((await ask('/admin/me/codes', 'POST')).statusCode).toBe(200)
  } finally {
    await app.close()
  }
})

// R-accounts-55
test('asks for the code of the setting with the password from the settings', async () => {
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  server.deps.config.admin = { username: 'admin', password: 'open sesame 42', totpSecret: secret }
  try {
    const form = { username: 'admin', password: 'open sesame 42' }
    expect((await signIn(form)).error.errorCode).toBe('AdminCodeRequired')
    const code = await codeOf(secret)
    expect((await signIn(form, code)).status).toBe(200)
    expect((await signIn(form, code)).error.errorCode).toBe('InvalidAdminCode')
  } finally {
    server.deps.config.admin = { username: 'admin', password: 'open sesame 42', totpSecret: null }
  }
})

// R-accounts-56, R-accounts-57
test('records each act and look with the person concerned, a polled list once, and shows it to the person', async () => {
  const sale = await aSaleAt(server, 'passed')
  const pkgId = (await readProgressOf(sale)).pkgId ?? ''
  const operator = await aNamedAdministrator(server, 'OPERATOR')
  await operator.ask(listWholesalers, { query: { approved: 'false' } })
  await operator.ask(listWholesalers, { query: { approved: 'false' } })
  await operator.ask(listWholesalers)
  await operator.ask(getBuyer, { params: { id: sale.buyer.id } })
  await operator.ask(readPackage, { params: { pkgId } })
  await operator.ask(completeDeal, { params: { pkgId } })
  const recorded = await events(operator.id)
  const parties = [sale.seller.id, sale.buyer.id]
  expect(recorded.map(({ act }) => act)).toEqual([
    'completedDeal',
    'completedDeal',
    'viewedPackage',
    'viewedPackage',
    'viewedPerson',
    'viewedWholesalers',
    'viewedWholesalers',
    'acceptedInvitation',
  ])
  for (const act of ['completedDeal', 'viewedPackage'])
    expect(recorded.filter((one) => one.act === act)).toEqual(
      expect.arrayContaining(
        parties.map((person) => ({ act, administrator: 'Morgan Vale', person, subject: pkgId })),
      ),
    )
  const about = await findAdminEventsAbout(server.deps.db, {
    userId: sale.buyer.id,
    limit: 10,
    beforeId: 2 ** 52,
  })
  expect(about.map(({ act, administrator }) => [act, administrator])).toEqual([
    ['completedDeal', 'Morgan Vale'],
    ['viewedPackage', 'Morgan Vale'],
    ['viewedPerson', 'Morgan Vale'],
  ])
  const listed = await operator.ask(calls.listAdminEvents, { query: { person: sale.buyer.id, limit: 2 } })
  expect(listed.map(({ act, person }) => [act, person?._id])).toEqual([
    ['completedDeal', sale.buyer.id],
    ['viewedPackage', sale.buyer.id],
  ])
  const mine = await operator.ask(calls.listAdminEvents, { query: { administrator: operator.id } })
  expect(mine.every(({ administratorId }) => administratorId === operator.id)).toBe(true)
  const own = await operator.ask(calls.listAdminEvents, { query: { administrator: 'settings', limit: 1 } })
  expect(own).toMatchObject([{ administrator: 'The operator of this site', administratorId: null }])
})

// R-accounts-56
test('rolls back an act whose event cannot be stored', async () => {
  const { car } = await aListing(server)
  await server.query(`alter table admin_events add constraint none check (act <> 'removedListing') not valid`)
  const request = { params: { carId: car._id }, body: { reason: 'Fraud' } }
  try {
    expect((await settings.send(removeListing, request)).status).toBe(500)
  } finally {
    await server.query('alter table admin_events drop constraint none')
  }
  const [kept] = await server.query('select 1 from cars where id = $1 and deleted_at is null', [car._id])
  expect(kept).toBeDefined()
  expect((await settings.send(removeListing, request)).status).toBe(200)
})

// R-accounts-58
test('asks for the password again after ten minutes, and repeats the act after it', async () => {
  const { car } = await aListing(server)
  const operator = await aNamedAdministrator(server, 'OPERATOR')
  await server.query(
    `update admin_sessions set signed_in_at = keyturn_now() - interval '11 minutes' where credentials = $1`,
    [operator.id],
  )
  const request = { params: { carId: car._id }, body: { reason: 'Fraud' } }
  expect((await operator.send(removeListing, request)).error.errorCode).toBe('ReauthenticationRequired')
  const confirm = (password: string) => operator.send(calls.confirmPassword, { body: { password } })
  expect((await confirm('wrong sesame 42')).error.errorCode).toBe('ReauthenticationRequired')
  expect((await operator.send(removeListing, request)).status).toBe(403)
  expect((await confirm(operator.password)).status).toBe(200)
  expect((await operator.send(removeListing, request)).status).toBe(200)
})

// R-accounts-59
test('emails the operator’s address about sign-ins with the settings, new networks and changed dealers', async () => {
  const subjects = async () => (await readEmailsTo(server, adminEmail)).map(({ subject }) => subject)
  const count = async (subject: string) => (await subjects()).filter((one) => one === subject).length
  const fromSettings = 'Someone signed in with ADMIN_PASSWORD'
  const newNetwork = 'An administrator signed in from a new network'
  const before = await count(fromSettings)
  await anAdministrator(server)
  expect(await count(fromSettings)).toBe(before + 1)
  const administrator = await aNamedAdministrator(server, 'OPERATOR')
  const known = await count(newNetwork)
  await signIn(administrator)
  expect(await count(newNetwork)).toBe(known)
  await server.query('delete from known_networks where owner = $1', [administrator.id])
  await signIn(administrator)
  await signIn(administrator)
  expect(await count(newNetwork)).toBe(known + 1)
  const dealer = await administrator.ask(addDealer, { body: { name: 'Bay Motors' } })
  await administrator.ask(editDealer, {
    params: { dealerId: dealer._id },
    body: { name: 'Bay Motors of Oakland' },
  })
  expect((await subjects()).slice(0, 2)).toEqual(['A dealer was changed', 'A dealer was added'])
})

test('does not record a look that failed', async () => {
  const support = await aNamedAdministrator(server, 'SUPPORT')
  const { id } = await aBuyer(server)
  expect((await support.send(readPackage, { params: { pkgId: id } })).status).toBe(404)
  expect((await events(support.id)).map(({ act }) => act)).toEqual(['acceptedInvitation'])
})

// R-accounts-54
test('lists an invitation that has expired as such', async () => {
  const { administrator } = await settings.ask(calls.inviteAdministrator, {
    body: { name: 'Kim Late', username: 'kim.late', role: 'SUPPORT' },
  })
  const state = async () =>
    (await settings.ask(calls.listAdministrators)).find(({ _id }) => _id === administrator._id)?.state
  expect(await state()).toBe('INVITED')
  await server.query(`update administrators set invitation_expires_at = keyturn_now() where id = $1`, [
    administrator._id,
  ])
  expect(await state()).toBe('EXPIRED')
})

// R-accounts-54. The last test of this file: it signs everybody out.
test('voids open invitations and recovery codes after a restore', async () => {
  const administrator = await aNamedAdministrator(server, 'OPERATOR')
  const { recoveryCodes } = await enroll(administrator)
  const { invitation } = await settings.ask(calls.inviteAdministrator, {
    body: { name: 'Robin Reed', username: 'robin.reed', role: 'SUPPORT' },
  })
  await signOutEverybody(server.deps.db, 'restored')
  const code = new URLSearchParams(new URL(invitation ?? '').hash.slice(1)).get('code') ?? ''
  const body = { code, password: 'quiet harbour 12', confirmPassword: 'quiet harbour 12' }
  const accepted = await server.browser().send(calls.acceptInvitation, { body })
  expect(accepted.error.errorCode).toBe('InvalidInvitation')
  expect((await signIn(administrator, recoveryCodes[0])).error.errorCode).toBe('InvalidAdminCode')
})
