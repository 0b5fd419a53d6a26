import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { copyLogs, recordSecret } from '../../support/secrets.ts'
import { ageAdministratorSignIn, ageSignIn } from './age-sign-in.ts'

export type RunningApp = {
  origin: string
  administrator: { username: string; password: string }
  /** Log lines about the server's own faults. */
  faults(): string[]
  /** Moves the time of the person's last password sign-in two days back. */
  ageSignIn(address: string): Promise<void>
  ageAdministratorSignIn(): Promise<void>
  /** Restarts the product on the same port and folder, as after an upgrade. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** KEYTURN_DIST names another build than dist, so that rebuilding does not disturb a run. */
const dist = process.env.KEYTURN_DIST ?? resolve(import.meta.dirname, '../../../dist')
const startMs = 60_000
const endMs = 15_000

/** Starts the built product with a new database on a free port and in a temporary folder. */
export async function startProduct(settings: Record<string, string> = {}): Promise<RunningApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-journey-'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const administrator = { username: 'admin', password: 'open sesame 42' }
  recordSecret(administrator.password)
  const start = () =>
    spawn(process.execPath, [join(dist, 'server/main.js')], {
      env: {
        ...inherited(),
        PORT: String(port),
        PUBLIC_URL: origin,
        DATA_DIR: dataDir,
        ADMIN_PASSWORD: administrator.password,
        RATE_LIMITS: 'off',
        PUSH_HOSTS: 'push.example',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  let server = start()
  // Stops the server, and with it the database, when this process crashes.
  const killServer = () => void server.kill()
  process.once('exit', killServer)
  await ready(server)
  return {
    origin,
    administrator,
    faults: () => readFileSync(join(dataDir, 'keyturn.log'), 'utf8').split('\n').filter(isFault),
    ageSignIn: (address) => ageSignIn(dataDir, address),
    ageAdministratorSignIn: () => ageAdministratorSignIn(dataDir),
    restart: async () => {
      await end(server)
      server = start()
      await ready(server)
    },
    stop: async () => {
      process.off('exit', killServer)
      await end(server)
      copyLogs(dataDir)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A developer's settings (DATABASE_URL, SMTP_URL) must not affect the tests. */
function inherited(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG, LD_LIBRARY_PATH } = process.env
  return { PATH, HOME, TMPDIR, LANG, LD_LIBRARY_PATH }
}

async function ready(server: ChildProcess): Promise<void> {
  let output = ''
  await new Promise<void>((done, fail) => {
    const timeout = setTimeout(() => fail(new Error(`not ready after ${startMs} ms:\n${output}`)), startMs)
    const onOutput = (text: string) => {
      output += text
      if (!output.includes('Keyturn is ready')) return
      clearTimeout(timeout)
      done()
    }
    server.stdout?.setEncoding('utf8').on('data', onOutput)
    server.stderr?.setEncoding('utf8').on('data', onOutput)
    server.once('exit', (code) => {
      clearTimeout(timeout)
      fail(new Error(`the server ended with ${code}:\n${output}`))
    })
  })
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise((done) => server.once('exit', done))
  server.kill('SIGTERM')
  const timeout = setTimeout(() => server.kill('SIGKILL'), endMs)
  await ended
  clearTimeout(timeout)
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/**
 * Matches errors (pino levels 50 and 60), except slow VIN look-ups, which a busy machine causes.
 */
const isFault = (line: string) => /"level":[56]0/.test(line) && !line.includes('VIN look-up took longer')
