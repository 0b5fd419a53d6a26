import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { StartupError } from '../startup/startup-error.ts'
import { checksumsName, computeDigest, listFiles, manifestName, readChecksums } from './checksummed-files.ts'
import { type Manifest, manifest } from './manifest.ts'

export const unfinishedPrefix = 'keyturn-unfinished-'
const prefix = 'keyturn-'

/** Names a backup after its time in ms, so that names sort by time. */
export const backupName = (takenAt: Date): string => `${prefix}${takenAt.toISOString().replaceAll(':', '-')}`

/** Parses the time from a backup name; null if the name is not one. */
export function parseBackupName(name: string): Date | null {
  const [, day, hour, minute, rest] =
    /^keyturn-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)$/.exec(name) ?? []
  return day === undefined ? null : new Date(`${day}T${hour}:${minute}:${rest}`)
}

/** Lists complete backups, oldest first. */
export const listBackups = async (parent: string): Promise<string[]> =>
  (await readdir(parent)).filter((name) => parseBackupName(name) !== null).sort()

/**
 * Verifies all digests and returns the manifest. Throws a `StartupError` if any file is missing,
 * changed or unlisted (R-everywhere-47).
 */
export async function verifyBackup(given: string): Promise<Manifest> {
  const folder = resolve(given)
  await requireBackup(folder)
  const named = new Set<string>()
  for await (const { path, digest } of readChecksums(folder)) {
    named.add(path)
    const found = await computeDigest(join(folder, path)).catch(nullIfMissing)
    if (found !== digest)
      throw new StartupError(
        `This backup is damaged: ${join(folder, path)} is ${found === null ? 'missing' : 'changed'}. Use another one.`,
      )
  }
  const unlisted = (await listFiles(folder)).filter((path) => path !== checksumsName && !named.has(path))
  if (!named.has(manifestName) || unlisted.length > 0)
    throw new StartupError(
      `This backup is damaged: ${checksumsName} does not name ${unlisted[0] ?? manifestName}. Use another one.`,
    )
  return manifest.parse(JSON.parse(await readFile(join(folder, manifestName), 'utf8')))
}

async function requireBackup(folder: string): Promise<void> {
  if (!existsSync(folder)) throw new StartupError(`There is no folder ${folder}.`)
  if (existsSync(join(folder, checksumsName)) && existsSync(join(folder, manifestName))) return
  const newest = (await listBackups(folder)).at(-1)
  if (newest !== undefined)
    throw new StartupError(`${folder} holds several backups. Name one; the newest is ${join(folder, newest)}`)
  throw new StartupError(`${folder} is not a complete backup.`)
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
