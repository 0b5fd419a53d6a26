// @module-tag full

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { chownFolder, initdbUser, postgresUser } from '../../server/integrations/embedded-postgres/run-as.ts'
import {
  cleanupAfterFile,
  createTestFolder,
  type ServerProcess,
  startServerProcess,
} from '../support/server-process.ts'
import { createTestCertificate } from './certificate.ts'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'

// A PostgreSQL with TLS, at a URL with `sslmode=verify-full`.

const onCleanup = cleanupAfterFile()

const folder = createTestFolder(onCleanup)
const [trusted, another] = [join(folder, 'certificate.pem'), join(folder, 'another.pem')]
let postgres: PostgresServer
beforeAll(async () => {
  const { key, certificate } = createTestCertificate('localhost')
  writeFileSync(trusted, certificate)
  writeFileSync(another, createTestCertificate('localhost').certificate)
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 })
  chownFolder(folder, initdbUser(postgresUser(join(folder, 'cluster'))))
  const ssl = { ssl: 'on', ssl_cert_file: trusted, ssl_key_file: join(folder, 'key.pem') }
  postgres = await startPostgresServer(ssl, onCleanup)
})

const startWithTls = (host: string, ca = '') =>
  startServerProcess(
    {
      DATABASE_URL: `postgres://keyturn@${host}/keyturn?sslmode=verify-full${ca && `&sslrootcert=${ca}`}`,
      DATA_DIR: createTestFolder(onCleanup),
      PORT: '0',
      DEMO: '0',
    },
    onCleanup,
  )
const localhostAddress = () => postgres.host.replace('127.0.0.1', 'localhost')

// R-everywhere-55
test('encrypts all of a server’s connections', async () => {
  await startWithTls(localhostAddress(), trusted).says('Keyturn is ready')
  const encrypted = `select ssl from pg_stat_ssl join pg_stat_activity using (pid)
    where datname = 'keyturn' and pid <> pg_backend_pid()`
  await vi.waitFor(
    async () => {
      const connections = await postgres.query<{ ssl: boolean }>(encrypted)
      expect(connections.length).toBeGreaterThan(2)
      expect(connections.every(({ ssl }) => ssl)).toBe(true)
    },
    { timeout: 30_000, interval: 100 },
  )
})

// R-everywhere-55
test('does not start when the certificate is untrusted, for another host, or missing', async () => {
  const reasons = [
    [startWithTls(localhostAddress()), /self-signed certificate/],
    [startWithTls(localhostAddress(), another), /self-signed certificate/],
    [startWithTls(postgres.host, trusted), /does not match certificate's altnames: IP: 127\.0\.0\.1/],
  ] as const
  for (const [server, reason] of reasons) await expectStartError(server, reason)
  const plain = await startPostgresServer({}, onCleanup)
  await expectStartError(
    startWithTls(plain.host.replace('127.0.0.1', 'localhost'), trusted),
    /does not support SSL connections/,
  )
})

async function expectStartError(server: ServerProcess, reason: RegExp): Promise<void> {
  expect(await server.ended, server.err()).not.toBe(0)
  expect(server.err()).toMatch(reason)
  expect(server.err().trim().split('\n')).toHaveLength(1)
}
