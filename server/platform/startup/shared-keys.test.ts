import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestFolder } from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { createSecret } from './data-folder.ts'
import { shareKey } from './shared-keys.ts'

// Servers of one database, each with its own data folder.

const server = await startTestServer()
const secret = 'the secret that all servers of this database have'
const said: string[] = []
const share = (dataDir: string, sessionSecret = secret, oldSessionSecret: string | null = null) =>
  shareKey({
    pool: server.deps.pool,
    config: { dataDir, sessionSecret, oldSessionSecret },
    name: 'evidence-key',
    make: createSecret,
    print: (line) => said.push(line),
  })
const keyIn = (dataDir: string) => readFileSync(join(dataDir, 'evidence-key'), 'utf8')
const forget = () => server.query('delete from server_keys')

// R-everywhere-46
test('gives concurrently starting servers the same key, and stores it in plain text only in their folders', async () => {
  for (let round = 0; round < 20; round++) {
    await forget()
    const folders = Array.from({ length: 6 }, createTestFolder)
    await Promise.all(folders.map((folder) => share(folder)))
    const keys = new Set(folders.map(keyIn))
    expect(keys.size).toBe(1)
    const [row] = await server.query<{ all: string }>(
      `select string_agg(encode(encrypted || digest, 'escape'), '') as all from server_keys`,
    )
    for (const key of keys) expect(row?.all).not.toContain(key.trim().slice(4))
    for (const folder of folders) {
      expect(statSync(join(folder, 'evidence-key')).mode & 0o777).toBe(0o600)
      expect(readdirSync(folder)).toEqual(['evidence-key'])
    }
  }
  expect(said).toEqual([])
})

// R-everywhere-46
test('shares an existing key, renames a different one and logs its new path', async () => {
  await forget()
  const [first, second] = [createTestFolder(), createTestFolder()]
  writeFileSync(join(first, 'evidence-key'), 'the first key, and nobody has seen it\n')
  writeFileSync(join(second, 'evidence-key'), 'another key, which will be put away\n')
  await share(first)
  await share(second)
  await share(second)
  expect(keyIn(second)).toBe(keyIn(first))
  expect(said).toHaveLength(1)
  const [, aside = ''] = /^evidence-key differed from .+: it was moved to (\S+)\.$/.exec(said[0] ?? '') ?? []
  expect(readFileSync(aside, 'utf8')).toBe('another key, which will be put away\n')
})

// R-everywhere-46
test('rejects a key that was encrypted with another secret', async () => {
  await forget()
  await share(createTestFolder())
  const fresh = createTestFolder()
  await expect(share(fresh, 'some other secret of 32 characters')).rejects.toThrow(/^SESSION_SECRET differs /)
  expect(readdirSync(fresh)).toEqual([])
})

// R-everywhere-46
test('reads a key that another server has re-encrypted with the new secret', async () => {
  await forget()
  const [folder, fresh] = [createTestFolder(), createTestFolder()]
  const next = 'the secret that they will all have soon'
  await share(folder, next)
  await share(fresh, secret, next)
  expect(keyIn(fresh)).toBe(keyIn(folder))
})
