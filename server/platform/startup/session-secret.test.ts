// @module-tag full

import { beforeEach, expect, test } from 'vitest'
import { minimalSettings, serverAddress, startServerProcess } from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { dealerKeysColumn, decryptKeys, encryptKeys } from '../../modules/dealers/dealer-keys.ts'
import { parseUnsubscribeLink, unsubscribeLink } from '../mail/unsubscribe-link.ts'
import { checkSessionSecret } from './session-secret.ts'

const testServer = await startTestServer()
const first = 'the first secret of all the servers here'
const second = 'the second secret of all the servers here'
const check = (sessionSecret: string, oldSessionSecret: string | null = null) =>
  checkSessionSecret(testServer.deps.pool, { sessionSecret, oldSessionSecret }, [dealerKeysColumn])

beforeEach(() => testServer.query('delete from server_keys; update dealers set secrets = null'))

const storeKeys = (sealed: Buffer) => testServer.query('update dealers set secrets = $1', [sealed])
async function storedKeys(): Promise<Buffer> {
  const [dealer] = await testServer.query<{ secrets: Buffer }>('select secrets from dealers')
  return dealer?.secrets ?? Buffer.of()
}
const openedKeys = async () =>
  decryptKeys({ sessionSecret: second, oldSessionSecret: null }, await storedKeys())

// R-everywhere-46
test('accepts only the secret of the first start', async () => {
  await Promise.all([check(first), check(first), check(first)])
  expect(await check(first)).toBe(false)
  await expect(check(second)).rejects.toThrow(/^SESSION_SECRET differs from the one that this database uses/)
  await expect(check(second, 'neither the one nor the other secret')).rejects.toThrow(/^SESSION_SECRET /)
  expect(await check(first)).toBe(false)
})

// R-everywhere-46
test('re-encrypts keys and dealers once when SESSION_SECRET_OLD is the secret in use', async () => {
  await check(first)
  await storeKeys(encryptKeys({ sessionSecret: first }, ['whsec_one', 'whsec_two']))
  expect(await check(second, first)).toBe(true)
  expect(await check(second, first)).toBe(false)
  expect(await openedKeys()).toEqual(['whsec_one', 'whsec_two'])
  await expect(check(first)).rejects.toThrow(/^SESSION_SECRET /)
  // A server that knows the new secret may still write with the old one.
  expect(await check(first, second)).toBe(true)
  await storeKeys(encryptKeys({ sessionSecret: first }, ['whsec_late']))
  expect(await check(second, first)).toBe(true)
  expect(await openedKeys()).toEqual(['whsec_late'])
})

test('rotates the secret, and leaves values that neither secret decrypts unchanged', async () => {
  await check(first)
  const lost = encryptKeys({ sessionSecret: 'a third secret' }, ['whsec_one'])
  await storeKeys(lost)
  expect(await check(second, first)).toBe(true)
  expect(await storedKeys()).toEqual(lost)
})

test('accepts links that were signed with the previous secret', () => {
  const { config } = testServer.deps
  const link = new URL(unsubscribeLink({ ...config, sessionSecret: first }, 'a'.repeat(24), ['offers']))
  const asked = Object.fromEntries(link.searchParams)
  const read = (sessionSecret: string, oldSessionSecret: string | null) =>
    parseUnsubscribeLink({ ...config, sessionSecret, oldSessionSecret }, asked)
  expect(read(second, first)).toEqual({ userId: 'a'.repeat(24), kinds: ['offers'] })
  expect(read(second, null)).toBeNull()
})

// R-everywhere-46
test('rotates one server at a time, and rejects a server with the old secret afterwards', async () => {
  const settings = (more: Record<string, string>) => ({ ...minimalSettings(testServer.databaseUrl), ...more })
  const old = startServerProcess(settings({ SESSION_SECRET: first }))
  await old.says('Keyturn is ready')
  const stranger = startServerProcess(settings({ SESSION_SECRET: second }))
  expect(await stranger.ended).toBe(1)
  expect(stranger.err().trim()).toBe(
    'SESSION_SECRET differs from the one that this database uses. Set that one, or set SESSION_SECRET_OLD to it to rotate.',
  )
  const changed = startServerProcess(settings({ SESSION_SECRET: second, SESSION_SECRET_OLD: first }))
  await changed.says('Keyturn is ready')
  expect(changed.out()).toContain('SESSION_SECRET was rotated')
  for (const server of [old, changed])
    expect((await fetch(`${serverAddress(server)}/health/ready`)).status).toBe(200)
  const late = startServerProcess(settings({ SESSION_SECRET: first }))
  expect(await late.ended).toBe(1)
})
