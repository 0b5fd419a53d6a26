import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { vi } from 'vitest'
import { giveFolder } from '../../embedded-postgres/run-as.ts'
import { serving } from '../database.ts'
import { aFolder, freePort, type WhenOver } from '../start.ts'

export const isPgBouncerThere = (): boolean => spawnSync('pgbouncer', ['--version']).status === 0

/** With the file of `operations/`, in front of this server, for whoever comes; answers its host and port. */
export async function startPgBouncer(databaseUrl: string, whenOver: WhenOver): Promise<string> {
  const folder = aFolder(whenOver)
  const port = await freePort()
  const { hostname, port: databasePort, username } = new URL(databaseUrl)
  const host = decodeURIComponent(hostname)
  writeFileSync(join(folder, 'users'), [serving, username].map((name) => `"${name}" "${name}"\n`).join(''))
  const file = join(folder, 'pgbouncer.ini')
  const changes: [RegExp, string][] = [
    [/^keyturn = .*$/m, `* = host=${host} port=${databasePort || 5432}`],
    [/^listen_port = .*$/m, `listen_port = ${port}\nunix_socket_dir =`],
    [/^auth_type = .*$/m, 'auth_type = trust'],
    [/^auth_file = .*$/m, `auth_file = ${folder}/users`],
    // So few that requests take turns on them.
    [/^default_pool_size = .*$/m, 'default_pool_size = 3'],
  ]
  writeFileSync(file, filled(changes))
  // It does not run as root either, and has to reach PostgreSQL's socket.
  const { uid, gid } = host.startsWith('/') ? statSync(host) : { uid: 65_534, gid: 65_534 }
  const runAs = process.getuid?.() === 0 ? { uid, gid } : null
  giveFolder(folder, runAs)
  const child = spawn('pgbouncer', [file], { stdio: ['ignore', 'ignore', 'pipe'], ...runAs })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const ended = once(child, 'exit')
  whenOver(async () => {
    child.kill('SIGKILL')
    await ended
  })
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`PgBouncer has ended: ${said}`)
      const tried = connect(port, '127.0.0.1')
      await once(tried, 'connect')
      tried.destroy()
    },
    { timeout: 60_000 },
  )
  return `127.0.0.1:${port}`
}

/** A line that is not there any more fails. */
function filled(changes: [RegExp, string][]): string {
  let text = readFileSync(new URL('../../../operations/pgbouncer.ini', import.meta.url), 'utf8')
  for (const [line, instead] of changes) {
    if (!line.test(text)) throw new Error(`pgbouncer.ini has no ${line}`)
    text = text.replace(line, instead)
  }
  return text
}
