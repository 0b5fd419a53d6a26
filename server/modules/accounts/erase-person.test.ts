import { getUser, login, register } from '@keyturn/contract/accounts/endpoints.ts'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { aRegistration } from '../../../tests/support/http/visitors.ts'
import { anAdministrator, aSeller, readEmailsTo } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { createEmailTasks } from '../../platform/mail/email-tasks.ts'
import { retentionTasks } from '../../platform/retention/remove-old-rows.ts'
import { deleteOldUnknownVins } from '../cars/repository.ts'
import { erasePerson } from './people/erase-person.ts'
import { findPerson } from './people/find-person.ts'
import { lockExistingPerson, lockPersonForDeletion, lockSigner } from './people/lock-person.ts'
import { accountRetention } from './retention.ts'
import { accountTasks } from './tasks.ts'

const server = await startTestServer()
const { deps } = server

// R-safe-14, R-accounts-37
test('erases a person: the name is gone, the person cannot sign in, and the address is free', async () => {
  const person = await aSeller(server)
  await transaction(deps.db, (tx) => erasePerson(deps, tx, person.id))
  expect((await person.send(getUser)).status).toBe(401)
  const { email, firstName, lastName, phoneNumber, password } = person
  expect((await server.browser().send(login, { body: { email, password } })).status).toBe(401)
  expect(await findPerson(deps.db, person.id)).toBeNull()
  const rows = await server.query(
    `select u::text as row from users u where id = $1 union all select s::text from sessions s where user_id = $1
     union all select c::text from email_codes c where user_id = $1`,
    [person.id],
  )
  const all = JSON.stringify(rows)
  for (const trace of [email, firstName, lastName, phoneNumber, '127.0.0.1', 'argon2'])
    expect(all).not.toContain(trace)
  expect((await readEmailsTo(server, email)).map(({ subject }) => subject)).toEqual([
    'Your account was deleted',
  ])
  const again = await server.browser().send(register, { body: aRegistration({ email }) })
  expect(again.status).toBe(201)
})

test('leaves nobody signed in when the person signs in during the deletion', async () => {
  const person = await aSeller(server)
  const body = { email: person.email, password: person.password }
  const browsers = Array.from({ length: 5 }, () => server.browser())
  await Promise.all([
    ...browsers.map((browser) => browser.send(login, { body })),
    transaction(deps.db, (tx) => erasePerson(deps, tx, person.id)),
  ])
  for (const browser of browsers) expect((await browser.send(getUser)).status).toBe(401)
})

test('blocks a deletion while rows of the person are added, and additions during the deletion', async () => {
  const { id } = await aSeller(server)
  const orders = [
    [lockExistingPerson, lockPersonForDeletion],
    [lockPersonForDeletion, lockExistingPerson],
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

test('requires a signer to have a verified address', async () => {
  const person = await aSeller(server)
  expect(await lockSigner(deps.db, person.id)).toEqual({ email: person.email, verifiedAt: expect.any(Date) })
  await server.query('update users set verified_at = null where id = $1', [person.id])
  await expect(lockSigner(deps.db, person.id)).rejects.toMatchObject({ code: 'EmailNotVerified' })
})

test('deletes unusable rows and keeps the others', async () => {
  const person = await aSeller(server)
  await anAdministrator(server)
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
    return (await server.query<Record<string, number>>(`select ${each}`))[0]
  }
  const tasks = {
    ...accountTasks(deps, { cleanAlso: deleteOldUnknownVins }),
    ...retentionTasks(deps, accountRetention),
    ...createEmailTasks(deps).tasks,
  }
  const countAfter = async (interval: string) => {
    await server.moveClock(interval)
    await runDueJobs(deps, tasks)
    return count()
  }
  const before = await count()
  expect(await countAfter('0')).toEqual(before)
  expect(await countAfter('2 hours')).toEqual({ ...before, access_tokens: 0 })
  const cleared = Object.fromEntries(tables.map((name) => [name, 0]))
  expect(await countAfter('61 days')).toEqual({ ...cleared, known_networks: before?.known_networks })
  expect(await countAfter('91 days')).toEqual(cleared)
  await server.moveClock('0')
  expect(await server.query(`select attempts from jobs where key = 'clean-accounts'`)).toHaveLength(1)
  expect((await server.browser().send(login, { body: person })).status).toBe(200)
})
