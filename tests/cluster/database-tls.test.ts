// @module-tag full

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { chownFolder, initdbUser, postgresUser } from '../../server/integrations/embedded-postgres/run-as.ts'
import { aFolder, endOfFile, type Started, start } from '../support/start.ts'
import { aCertificate } from './certificate.ts'
import { aPostgres, type OwnPostgres } from './own-postgres.ts'

// A PostgreSQL with TLS, at an address that `withTls` made for a remote host.

const atTheEnd = endOfFile()

const folder = aFolder(atTheEnd)
const [trusted, another] = [join(folder, 'certificate.pem'), join(folder, 'another.pem')]
let postgres: OwnPostgres
beforeAll(async () => {
  const { key, certificate } = aCertificate('localhost')
  writeFileSync(trusted, certificate)
  writeFileSync(another, aCertificate('localhost').certificate)
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 })
  chownFolder(folder, initdbUser(postgresUser(join(folder, 'cluster'))))
  const ssl = { ssl: 'on', ssl_cert_file: trusted, ssl_key_file: join(folder, 'key.pem') }
  postgres = await aPostgres(ssl, atTheEnd)
})

const startOn = (host: string, ca = '') =>
  start(
    {
      DATABASE_URL: `postgres://keyturn@${host}/keyturn?sslmode=verify-full${ca && `&sslrootcert=${ca}`}`,
      DATA_DIR: aFolder(atTheEnd),
      PORT: '0',
      DEMO: '0',
    },
    atTheEnd,
  )
const onLocalhost = () => postgres.host.replace('127.0.0.1', 'localhost')

// R-everywhere-55
test('encrypts every connection of a server', async () => {
  await startOn(onLocalhost(), trusted).says('Keyturn is ready')
  const encrypted = `select ssl from pg_stat_ssl join pg_stat_activity using (pid)
    where datname = 'keyturn' and pid <> pg_backend_pid()`
  await vi.waitFor(
    async () => {
      const connections = await postgres.ask<{ ssl: boolean }>(encrypted)
      expect(connections.length).toBeGreaterThan(2)
      expect(connections.every(({ ssl }) => ssl)).toBe(true)
    },
    { timeout: 30_000, interval: 100 },
  )
})

// R-everywhere-55
test('does not start with an untrusted certificate, one of another host, or none', async () => {
  const reasons = [
    [startOn(onLocalhost()), /self-signed certificate/],
    [startOn(onLocalhost(), another), /self-signed certificate/],
    [startOn(postgres.host, trusted), /does not match certificate's altnames: IP: 127\.0\.0\.1/],
  ] as const
  for (const [server, reason] of reasons) await expectRefusal(server, reason)
  const plain = await aPostgres({}, atTheEnd)
  await expectRefusal(
    startOn(plain.host.replace('127.0.0.1', 'localhost'), trusted),
    /does not support SSL connections/,
  )
})

async function expectRefusal(server: Started, reason: RegExp): Promise<void> {
  expect(await server.ended, server.err()).not.toBe(0)
  expect(server.err()).toMatch(reason)
  expect(server.err().trim().split('\n')).toHaveLength(1)
}
