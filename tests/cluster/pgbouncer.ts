import { spawnSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chownFolder } from '../../server/integrations/embedded-postgres/run-as.ts'
import { servingRoleName } from '../support/database/database.ts'
import { type AddCleanup, createTestFolder, freePort } from '../support/server-process.ts'
import { editOperationsFile, startProgram } from './start-program.ts'

export const isPgBouncerInstalled = (): boolean => spawnSync('pgbouncer', ['--version']).status === 0

/** Starts PgBouncer with the file of `operations/` for this server. Returns its host and port. */
export async function startPgBouncer(databaseUrl: string, addCleanup: AddCleanup): Promise<string> {
  const folder = createTestFolder(addCleanup)
  const port = await freePort()
  const { hostname, port: databasePort, username } = new URL(databaseUrl)
  const host = decodeURIComponent(hostname)
  writeFileSync(
    join(folder, 'users'),
    [servingRoleName, username].map((name) => `"${name}" "${name}"\n`).join(''),
  )
  const file = join(folder, 'pgbouncer.ini')
  const changes: [RegExp, string][] = [
    [/^keyturn = .*$/m, `* = host=${host} port=${databasePort || 5432}`],
    [/^listen_port = .*$/m, `listen_port = ${port}\nunix_socket_dir =`],
    [/^auth_type = .*$/m, 'auth_type = trust'],
    [/^auth_file = .*$/m, `auth_file = ${folder}/users`],
    // Few enough that requests must share them.
    [/^default_pool_size = .*$/m, 'default_pool_size = 3'],
  ]
  writeFileSync(file, editOperationsFile('pgbouncer.ini', changes))
  // PgBouncer does not run as root, and needs access to PostgreSQL's socket.
  const { uid, gid } = host.startsWith('/') ? statSync(host) : { uid: 65_534, gid: 65_534 }
  const runAs = process.getuid?.() === 0 ? { uid, gid } : null
  chownFolder(folder, runAs)
  await startProgram(['pgbouncer', file], port, addCleanup, runAs ?? {})
  return `127.0.0.1:${port}`
}
