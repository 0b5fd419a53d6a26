import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartupError } from './startup-error.ts'

/** Files with keys and secrets. Backups include all of them. */
export const secretFileNames = [
  'session-secret',
  'admin-password',
  'evidence-key',
  'push-key',
  'seal.p12',
] as const
type SecretFileName = (typeof secretFileNames)[number]

/**
 * Returns a secret of this installation and creates it on first use, readable by its owner only.
 * Throws a `StartupError` if the file is too short.
 */
export function readOrCreateSecret(dataDir: string, name: SecretFileName, minLength: number): string {
  const path = join(dataDir, name)
  const secret = readOrCreateFile(dataDir, name, createSecret).toString('utf8').trim()
  if (secret.length < minLength)
    throw new StartupError(
      `${path} is empty or truncated: restore its content, or delete it, and the next start creates a new one.`,
    )
  return secret
}

export const createSecret = (): Buffer => Buffer.from(`${randomBytes(24).toString('base64url')}\n`)

/** Returns the content of this file; null if it does not exist. */
export const readDataFile = (dataDir: string, name: string): Buffer | null =>
  orStartupError(dataDir, join(dataDir, name), () => read(join(dataDir, name)))

/** Renames a file instead of deleting it, and returns its new path. */
export function renameStale(dataDir: string, name: string): string {
  const path = join(dataDir, name)
  const aside = `${path}.until-${new Date().toISOString().replace(/[:.]/g, '-')}`
  orStartupError(dataDir, path, () => renameSync(path, aside))
  return aside
}

/** Returns the content of this file and creates it with `make` on first use. */
export function readOrCreateFile(dataDir: string, name: string, make: () => Buffer): Buffer {
  const path = join(dataDir, name)
  return orStartupError(dataDir, path, () => read(path) ?? storeFirst(dataDir, name, make()))
}

/** Opens a file for appending, readable by its owner only. */
export function openAppend(dataDir: string, name: string): number {
  return orStartupError(dataDir, join(dataDir, name), () => {
    makeFolder(dataDir)
    return openWithOwner(dataDir, name, 'a')
  })
}

/** Mode 0700, because it holds secrets and personal data. An existing folder keeps its mode. */
const makeFolder = (dataDir: string) => mkdirSync(dataDir, { recursive: true, mode: 0o700 })

/**
 * When root runs this, the file is given to the folder's owner, whose next start needs to use it.
 */
function openWithOwner(dataDir: string, name: string, flag: 'a' | 'w'): number {
  const descriptor = openSync(join(dataDir, name), flag, 0o600)
  const { uid, gid } = statSync(dataDir)
  if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid)
  return descriptor
}

function read(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * Links the file to its name after the fsync, so that it is complete. If two processes start
 * concurrently, both use the first file.
 */
function storeFirst(dataDir: string, name: string, bytes: Buffer): Buffer {
  makeFolder(dataDir)
  const draft = `${name}.${process.pid}`
  const path = join(dataDir, name)
  const descriptor = openWithOwner(dataDir, draft, 'w')
  try {
    writeFileSync(descriptor, bytes)
    fsyncSync(descriptor)
    linkSync(join(dataDir, draft), path)
    return bytes
  } catch (error) {
    const existing = codeOf(error) === 'EEXIST' ? read(path) : null
    if (!existing) throw error
    return existing
  } finally {
    closeSync(descriptor)
    rmSync(join(dataDir, draft), { force: true })
  }
}

function orStartupError<T>(dataDir: string, path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const foreign =
      codeOf(error) === 'EACCES' ? (foreignOwnerMessage(path) ?? foreignOwnerMessage(dataDir)) : null
    throw new StartupError(
      foreign ??
        `The data folder ${dataDir} cannot be used: ${error instanceof Error ? error.message : error}`,
    )
  }
}

function foreignOwnerMessage(path: string): string | null {
  const self = process.geteuid?.()
  try {
    const { uid } = statSync(path)
    return uid === self
      ? null
      : `${path} belongs to user ${uid}, and this is user ${self}: start as that user, or set DATA_DIR to another folder.`
  } catch {
    return null
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : null)
