// @module-tag full

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startServerOn } from '../../../tests/cluster/start-server-on.ts'
import { createTestFolder, serverAddress } from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

// Changes the level of a running server as in docs/operations.md.

const testServer = await startTestServer()
const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')

test('applies the level file to every process, and the setting again when the file is removed', async () => {
  const DATA_DIR = createTestFolder()
  const type = (command: string) => {
    expect(page).toContain(`\`${command}\``)
    execFileSync('sh', ['-c', command], { env: { DATA_DIR } })
  }
  const lines = () =>
    readFileSync(join(DATA_DIR, 'keyturn.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => (line ? JSON.parse(line) : {}))
  const changes = (to: string) =>
    new Set(lines().flatMap((line) => (line.msg === 'log level changed' && line.to === to ? line.pid : [])))
  const server = await startServerOn(testServer, { DATA_DIR, LOG_LEVEL: 'error', SERVER_PROCESSES: '2' })
  const ask = () => fetch(`${serverAddress(server)}/health/live`, { headers: { connection: 'close' } })
  const askers = () =>
    new Set(lines().flatMap((line) => (line.route === '/health/live' ? line.pid : []))).size
  for (let i = 0; i < 4; i++) await ask()

  type('echo debug >"$DATA_DIR/log-level"')
  // The primary and both workers.
  await vi.waitFor(() => expect(changes('debug').size).toBe(3), 20_000)
  await vi.waitFor(async () => {
    await ask()
    expect(askers()).toBe(2)
  }, 20_000)

  execFileSync('sh', ['-c', 'echo loud >"$DATA_DIR/log-level"'], { env: { DATA_DIR } })
  await vi.waitFor(() => {
    const kept = lines().filter(({ msg }) => msg === 'the log level could not be changed')
    expect(new Set(kept.map(({ pid }) => pid)).size).toBe(3)
  }, 20_000)
  expect(lines().at(-1).because).toContain('must be one of trace, debug')

  type('rm "$DATA_DIR/log-level"')
  await vi.waitFor(() => expect(changes('error').size).toBe(3), 20_000)
  const before = lines().length
  for (let i = 0; i < 4; i++) await ask()
  // An invalid level changes nothing and is logged after the requests above.
  mkdirSync(join(DATA_DIR, 'log-level'))
  await vi.waitFor(() => expect(lines().at(-1).because).toContain('EISDIR'), 20_000)
  const asked = lines()
    .slice(before)
    .filter(({ route }) => route)
  expect(asked).toEqual([])
  rmSync(join(DATA_DIR, 'log-level'), { recursive: true })
})

test('starts with the level of an existing level file', async () => {
  const DATA_DIR = createTestFolder()
  execFileSync('sh', ['-c', 'printf " SILENT\n" >"$DATA_DIR/log-level"'], { env: { DATA_DIR } })
  const server = await startServerOn(testServer, { DATA_DIR, LOG_LEVEL: 'debug' })
  const log = () => readFileSync(join(DATA_DIR, 'keyturn.log'), 'utf8')
  await vi.waitFor(() => expect(log()).toContain('"to":"silent"'), 20_000)
  const said = log()
  await fetch(`${serverAddress(server)}/health/live`)
  server.send('SIGTERM')
  expect(await server.ended, server.err()).toBe(0)
  expect(log()).toBe(said)
})
