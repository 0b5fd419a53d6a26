import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, onTestFinished } from 'vitest'
import { keepLogs } from './secrets.ts'

/** When what was opened goes: after the test, or after all tests of the file. */
export type WhenOver = (end: () => void | Promise<void>) => void

/** For what a whole file uses: a hook that is asked for while tests run is never called, so all of it ends here. */
export function endOfFile(): WhenOver {
  const ends: (() => void | Promise<void>)[] = []
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })
  return (end) => void ends.push(end)
}

export type Started = {
  pid: number
  out(): string
  err(): string
  says(words: string): Promise<void>
  complains(words: string): Promise<void>
  /** The exit code; null when a signal it did not handle ended it. */
  ended: Promise<number | null>
  send(signal: NodeJS.Signals): void
  /** From now on nobody reads what it says: the pipe fills up, or is gone. */
  stopReading(how: 'stand still' | 'go'): void
}

/** What a server needs that has a database and nothing else yet. */
export const settingsOn = (DATABASE_URL: string) => ({
  DATABASE_URL,
  DATA_DIR: aFolder(),
  PORT: '0',
  DEMO: '0',
})

/**
 * The real server in a process of its own, that may also refuse to start. Nothing of our own environment reaches it. `main`: of
 * another version than this one.
 */
export function start(
  settings: Record<string, string>,
  whenOver: WhenOver = onTestFinished,
  main = new URL('../../server/main.ts', import.meta.url).pathname,
): Started {
  const { child, told } = launch(main, {
    ADMIN_PASSWORD: 'open sesame 42',
    SESSION_SECRET: 'what all servers of one database share',
    ...settings,
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  whenOver(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const heard = (stream: Readable, isSaid: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => isSaid() && resolve()
      stream.on('data', look)
      void ended.then((code) => reject(new Error(`ended with ${code}: ${told.err}`)))
      look()
    })
  return {
    pid: child.pid ?? 0,
    out: () => told.out,
    err: () => told.err,
    says: (words) => heard(child.stdout, () => told.out.includes(words)),
    complains: (words) => heard(child.stderr, () => told.err.includes(words)),
    ended,
    send: (signal) => {
      child.kill(signal)
    },
    stopReading(how) {
      if (how === 'go') return void child.stdout.destroy()
      child.stdout.removeAllListeners('data').pause()
      child.once('exit', () => child.stdout.resume())
    },
  }
}

export const addressOf = (server: Started): string => /ready: (\S+)/.exec(server.out())?.[1] ?? ''

export function aFolder(whenOver: WhenOver = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-start-'))
  whenOver(() => {
    keepLogs(folder)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

type Told = { code: number | null; out: string; err: string }

/** A command of the server's own as an operator runs it, with these settings and nothing of our environment. */
export function runCommand(name: string, settings: Record<string, string>, ...args: string[]): Promise<Told> {
  const { child, told } = launch(
    new URL(`../../server/commands/${name}.ts`, import.meta.url).pathname,
    settings,
    args,
  )
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...told })))
}

function launch(script: string, settings: Record<string, string>, args: readonly string[] = []) {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const told = { out: '', err: '' }
  for (const name of ['out', 'err'] as const)
    child[`std${name}`].setEncoding('utf8').on('data', (text: string) => {
      told[name] += text
    })
  return { child, told }
}

/** Nobody else takes it in the moment between. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
