import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, onTestFinished } from 'vitest'
import { keepLogs } from './secrets.ts'

/** Registers cleanup, to run after the test or after all tests of the file. */
export type WhenOver = (end: () => void | Promise<void>) => void

/**
 * Registers cleanup for the whole file. A hook registered during a test never runs, so all cleanup
 * is collected here.
 */
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
  /** The exit code, or null when an unhandled signal ended the process. */
  ended: Promise<number | null>
  send(signal: NodeJS.Signals): void
  /** Stops reading the output: the pipe fills up or is closed. */
  stopReading(how: 'stalled' | 'ended'): void
}

/** Settings of a server that has only a database. */
export const settingsOn = (DATABASE_URL: string) => ({
  DATABASE_URL,
  DATA_DIR: aFolder(),
  PORT: '0',
  DEMO: '0',
})

/**
 * Starts the real server in a separate process, which may also fail to start. It does not inherit
 * this environment. `main` is the entry of another version.
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
      if (how === 'ended') return void child.stdout.destroy()
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

/** Runs a server command as an operator does, with these settings and no inherited environment. */
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

/** Returns a port that no other process gets in the meantime. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
