// @module-tag full

import { beforeEach, expect, test } from 'vitest'
import { dealerKeysColumn, openKeys, sealKeys } from '../deals/dealers/dealer-keys.ts'
import { readStopLink, stopLink } from '../mail/stop-links.ts'
import { openHouse } from '../test/house.ts'
import { addressOf, aFolder, type Started, start } from '../test/start.ts'
import { checkSessionSecret } from './session-secret.ts'

const house = await openHouse()
const first = 'the first secret of all the servers here'
const second = 'the second secret of all the servers here'
const check = (sessionSecret: string, oldSessionSecret: string | null = null) =>
  checkSessionSecret(house.deps.pool, { sessionSecret, oldSessionSecret }, [dealerKeysColumn])

beforeEach(() => house.query('delete from server_keys'))

// R-everywhere-46
test('accepts the secret of the first start, and refuses every other', async () => {
  await Promise.all([check(first), check(first), check(first)])
  expect(await check(first)).toBe(false)
  await expect(check(second)).rejects.toThrow(/^SESSION_SECRET differs from the one that this database uses/)
  await expect(check(second, 'neither the one nor the other secret')).rejects.toThrow(/^SESSION_SECRET /)
  expect(await check(first)).toBe(false)
})

// R-everywhere-46
test('re-encrypts keys and dealers when SESSION_SECRET_OLD is the one in use, once', async () => {
  await check(first)
  await house.query('update dealers set secrets = $1', [
    sealKeys({ sessionSecret: first }, ['whsec_one', 'whsec_two']),
  ])
  expect(await check(second, first)).toBe(true)
  expect(await check(second, first)).toBe(false)
  const [dealer] = await house.query<{ secrets: Buffer }>('select secrets from dealers')
  expect(openKeys({ sessionSecret: second, oldSessionSecret: null }, dealer?.secrets ?? Buffer.of())).toEqual(
    ['whsec_one', 'whsec_two'],
  )
  await expect(check(first)).rejects.toThrow(/^SESSION_SECRET /)
  await house.query('update dealers set secrets = null')
})

test('rotates beside a value that neither secret reads, and leaves it as it is', async () => {
  await check(first)
  const lost = sealKeys({ sessionSecret: 'a third secret' }, ['whsec_one'])
  await house.query('update dealers set secrets = $1', [lost])
  expect(await check(second, first)).toBe(true)
  const [dealer] = await house.query<{ secrets: Buffer }>('select secrets from dealers')
  expect(dealer?.secrets).toEqual(lost)
  await house.query('update dealers set secrets = null')
})

test('reads links that were signed with the secret before', () => {
  const { config } = house.deps
  const link = new URL(stopLink({ ...config, sessionSecret: first }, 'a'.repeat(24), ['offers']))
  const asked = Object.fromEntries(link.searchParams)
  const read = (sessionSecret: string, oldSessionSecret: string | null) =>
    readStopLink({ ...config, sessionSecret, oldSessionSecret }, asked)
  expect(read(second, first)).toEqual({ userId: 'a'.repeat(24), kinds: ['offers'] })
  expect(read(second, null)).toBeNull()
})

// R-everywhere-46
test('servers change their secret one after another, and one with the old secret does not come back', async () => {
  const settings = (more: Record<string, string>) => ({
    DATABASE_URL: house.databaseUrl,
    DATA_DIR: aFolder(),
    PORT: '0',
    DEMO: '0',
    ...more,
  })
  const old = start(settings({ SESSION_SECRET: first }))
  await old.says('Keyturn is ready')
  const stranger = start(settings({ SESSION_SECRET: second }))
  expect(await stranger.ended).toBe(1)
  expect(stranger.err().trim()).toBe(
    'SESSION_SECRET differs from the one that this database uses. Set that one, or set SESSION_SECRET_OLD to it to rotate.',
  )
  const changed = start(settings({ SESSION_SECRET: second, SESSION_SECRET_OLD: first }))
  await changed.says('Keyturn is ready')
  expect(changed.out()).toContain('SESSION_SECRET was rotated')
  for (const server of [old, changed])
    expect((await fetch(`${addressOf(server)}/health/ready`)).status).toBe(200)
  const late = start(settings({ SESSION_SECRET: first }))
  expect(await late.ended).toBe(1)
})

// R-everywhere-46
test('two servers change their secret in two steps, and both read everything in between', async () => {
  const settings = { DATABASE_URL: house.databaseUrl, PORT: '0', DEMO: '0' }
  const folders = [aFolder(), aFolder()]
  const begin = async (which: 0 | 1, secret: string, other?: string) => {
    const server = start({
      ...settings,
      DATA_DIR: folders[which] ?? '',
      SESSION_SECRET: secret,
      ...(other && { SESSION_SECRET_OLD: other }),
    })
    await server.says('Keyturn is ready')
    return server
  }
  const end = async (server: Started) => {
    server.send('SIGTERM')
    await server.ended
  }
  const linkStatus = async (server: Started, sessionSecret: string) => {
    const link = new URL(stopLink({ ...house.deps.config, sessionSecret }, 'a'.repeat(24), ['offers']))
    return (await fetch(addressOf(server) + link.pathname + link.search)).status
  }
  const expectBothRead = async (servers: readonly Started[]) => {
    for (const server of servers)
      for (const secret of [first, second]) expect(await linkStatus(server, secret)).toBe(200)
  }

  let one = await begin(0, first)
  let two = await begin(1, first)
  expect(await linkStatus(one, second)).not.toBe(200)
  // Step 1: each accepts the new secret, too.
  await end(one)
  one = await begin(0, first, second)
  await end(two)
  two = await begin(1, first, second)
  await expectBothRead([one, two])
  // Step 2: the two are exchanged. A server that crashes in between comes back with what it had.
  await end(one)
  one = await begin(0, second, first)
  expect(one.out()).toContain('SESSION_SECRET was rotated')
  await expectBothRead([one, two])
  two.send('SIGKILL')
  await two.ended
  two = await begin(1, first, second)
  await expectBothRead([one, two])
  // The administrator enters a dealer's keys there.
  await house.query('update dealers set secrets = $1', [sealKeys({ sessionSecret: first }, ['whsec_late'])])
  await end(two)
  two = await begin(1, second, first)
  await expectBothRead([one, two])
  // Step 3: the old one is gone.
  await end(one)
  await end(two)
  one = await begin(0, second)
  const [dealer] = await house.query<{ secrets: Buffer }>('select secrets from dealers')
  expect(openKeys({ sessionSecret: second, oldSessionSecret: null }, dealer?.secrets ?? Buffer.of())).toEqual(
    ['whsec_late'],
  )
  await house.query('update dealers set secrets = null')
}, 180_000)

test('re-encrypts what a server with the old secret has stored after the change', async () => {
  await check(first)
  expect(await check(second, first)).toBe(true)
  await house.query('update dealers set secrets = $1', [sealKeys({ sessionSecret: first }, ['whsec_late'])])
  await check(second, first)
  const [dealer] = await house.query<{ secrets: Buffer }>('select secrets from dealers')
  expect(openKeys({ sessionSecret: second, oldSessionSecret: null }, dealer?.secrets ?? Buffer.of())).toEqual(
    ['whsec_late'],
  )
  await house.query('update dealers set secrets = null')
})
