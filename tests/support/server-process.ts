import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, onTestFinished } from 'vitest'
import { copyLogs } from './secrets.ts'

export type AddCleanup = (end: () => void | Promise<void>) => void

/**
 * Collects cleanup for the end of the file, because Vitest ignores hooks registered during a test.
 */
export function cleanupAfterFile(): AddCleanup {
  const ends: (() => void | Promise<void>)[] = []
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })
  return (end) => void ends.push(end)
}

export type ServerProcess = {
  pid: number
  out(): string
  err(): string
  says(words: string): Promise<void>
  waitForErrorOutput(words: string): Promise<void>
  /** The exit code, or null when an unhandled signal ended the process. */
  ended: Promise<number | null>
  send(signal: NodeJS.Signals): void
  /** Stops reading the output: the pipe fills up or is closed. */
  stopReading(how: 'stalled' | 'ended'): void
}

/** Settings of a server with only a database. */
export const minimalSettings = (DATABASE_URL: string) => ({
  DATABASE_URL,
  DATA_DIR: createTestFolder(),
  PORT: '0',
  DEMO: '0',
})

/** Starts a server process without this environment. `main` is the entry of another version. */
export function startServerProcess(
  settings: Record<string, string>,
  addCleanup: AddCleanup = onTestFinished,
  main = new URL('../../server/main.ts', import.meta.url).pathname,
): ServerProcess {
  const { child, output } = launch(main, {
    ADMIN_PASSWORD: 'open sesame 42',
    SESSION_SECRET: 'what all servers of one database share',
    ...settings,
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  addCleanup(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const waitFor = (stream: Readable, isSaid: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => isSaid() && resolve()
      stream.on('data', look)
      void ended.then((code) => reject(new Error(`ended with ${code}: ${output.err}`)))
      look()
    })
  return {
    pid: child.pid ?? 0,
    out: () => output.out,
    err: () => output.err,
    says: (words) => waitFor(child.stdout, () => output.out.includes(words)),
    waitForErrorOutput: (words) => waitFor(child.stderr, () => output.err.includes(words)),
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

export const serverAddress = (server: ServerProcess): string => /ready: (\S+)/.exec(server.out())?.[1] ?? ''

export function createTestFolder(addCleanup: AddCleanup = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-start-'))
  addCleanup(() => {
    copyLogs(folder)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

type CommandResult = { code: number | null; out: string; err: string }

/** Runs a server command with these settings and without this environment. */
export function runCommand(
  name: string,
  settings: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> {
  const { child, output } = launch(
    new URL(`../../server/commands/${name}.ts`, import.meta.url).pathname,
    settings,
    args,
  )
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output })))
}

function launch(script: string, settings: Record<string, string>, args: readonly string[] = []) {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  for (const name of ['out', 'err'] as const)
    child[`std${name}`].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  return { child, output: output }
}

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
