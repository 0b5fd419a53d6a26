import { getUser, login, register } from '@keyturn/contract/accounts/endpoints.ts'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { aRegistration } from '../../../tests/support/http/visitors.ts'
import { anAdministrator, aSeller, mailsTo } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { type Db, transaction } from '../../platform/database/open.ts'
import { doDueJobs } from '../../platform/jobs/jobs.ts'
import { mailJobs } from '../../platform/mail/mail-jobs.ts'
import { deleteOldUnknownVins } from '../cars/repository.ts'
import { accountJobs, erasePerson, findPerson, lockLeaving, lockSigner, requirePerson } from './actions.ts'

const house = await startTestServer()
const { deps } = house

// R-safe-14, R-accounts-37
test('an erased person leaves a row without a name, no way in, and a free address', async () => {
  const person = await aSeller(house)
  await transaction(deps.db, (tx) => erasePerson(deps, tx, person.id))
  expect((await person.send(getUser)).status).toBe(401)
  const { email, firstName, lastName, phoneNumber, password } = person
  expect((await house.browser().send(login, { body: { email, password } })).status).toBe(401)
  expect(await findPerson(deps.db, person.id)).toBeNull()
  const rows = await house.query(
    `select u::text as row from users u where id = $1 union all select s::text from sessions s where user_id = $1
     union all select c::text from email_codes c where user_id = $1`,
    [person.id],
  )
  const all = JSON.stringify(rows)
  for (const trace of [email, firstName, lastName, phoneNumber, '127.0.0.1', 'argon2'])
    expect(all).not.toContain(trace)
  expect((await mailsTo(house, email)).map(({ subject }) => subject)).toEqual(['Your account was deleted'])
  const again = await house.browser().send(register, { body: aRegistration({ email }) })
  expect(again.status).toBe(201)
})

test('erasing and signing in at once leave nobody signed in', async () => {
  const person = await aSeller(house)
  const body = { email: person.email, password: person.password }
  const browsers = Array.from({ length: 5 }, () => house.browser())
  await Promise.all([
    ...browsers.map((browser) => browser.send(login, { body })),
    transaction(deps.db, (tx) => erasePerson(deps, tx, person.id)),
  ])
  for (const browser of browsers) expect((await browser.send(getUser)).status).toBe(401)
})

test('nobody leaves while something of theirs is being added, and nothing is added while they leave', async () => {
  const { id } = await aSeller(house)
  const orders = [
    [requirePerson, lockLeaving],
    [lockLeaving, requirePerson],
  ] as const
  for (const [first, second] of orders) {
    const wait = () => transaction(deps.db, (tx) => impatiently(tx, () => second(tx, id)))
    await transaction(deps.db, async (tx) => {
      await first(tx, id)
      await expect(wait()).rejects.toMatchObject({ code: '55P03' })
    })
    await wait()
  }

  async function impatiently(tx: Db, lock: () => Promise<void>) {
    await tx.execute(sql`set local lock_timeout = '100ms'`)
    await lock()
  }
})

test('requires a verified address of a signer', async () => {
  const person = await aSeller(house)
  expect(await lockSigner(deps.db, person.id)).toEqual({ email: person.email, verifiedAt: expect.any(Date) })
  await house.query('update users set verified_at = null where id = $1', [person.id])
  await expect(lockSigner(deps.db, person.id)).rejects.toMatchObject({ code: 'EmailNotVerified' })
})

test('deletes unusable rows and keeps the others', async () => {
  const person = await aSeller(house)
  await anAdministrator(house)
  const tables = [
    'sessions',
    'access_tokens',
    'refresh_tokens',
    'email_codes',
    'admin_sessions',
    'known_networks',
  ]
  const count = async () => {
    const each = tables.map((name) => `(select count(*)::int from ${name}) as ${name}`)
    return (await house.query<Record<string, number>>(`select ${each}`))[0]
  }
  const tasks = { ...accountJobs(deps, { cleanAlso: deleteOldUnknownVins }), ...mailJobs(deps).tasks }
  const countAfter = async (interval: string) => {
    await house.moveClock(interval)
    await doDueJobs(deps, tasks)
    return count()
  }
  const before = await count()
  expect(await countAfter('0')).toEqual(before)
  expect(await countAfter('2 hours')).toEqual({ ...before, access_tokens: 0 })
  const cleared = Object.fromEntries(tables.map((name) => [name, 0]))
  expect(await countAfter('61 days')).toEqual({ ...cleared, known_networks: before?.known_networks })
  expect(await countAfter('91 days')).toEqual(cleared)
  await house.moveClock('0')
  expect(await house.query(`select attempts from jobs where key = 'clean-accounts'`)).toHaveLength(1)
  expect((await house.browser().send(login, { body: person })).status).toBe(200)
})
