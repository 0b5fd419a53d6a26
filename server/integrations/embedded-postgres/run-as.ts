import { chownSync, existsSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../platform/startup/startup-error.ts'
import type { RunAs } from './supervise-process.ts'

// PostgreSQL refuses to run as root. No person or service has this number (not even systemd assigns
// it). A process that runs as `nobody` could read the data of every other one. Some containers have
// no ids above 65535.
const dedicatedUser = { uid: 60_910, gid: 60_910 }

/** Returns PostgreSQL's user: this process's or, as root, the owner of an existing cluster. */
export function postgresUser(cluster: string): RunAs {
  const owner = existsSync(cluster) ? statSync(cluster) : null
  const self = process.getuid?.() ?? 0
  if (self === 0) return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : dedicatedUser
  if (owner && owner.uid !== self) {
    throw new StartupError(
      `The database folder ${cluster} belongs to user ${owner.uid}, and this is user ${self}: start as that user, or set DATA_DIR to another folder.`,
    )
  }
  return null
}

/** Returns the user for initdb, which requires a named user; the files are chowned afterwards. */
export function initdbUser(runAs: RunAs): RunAs {
  if (runAs === null) return null
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0)
  const found =
    users.find(({ uid }) => uid === runAs.uid) ?? users.find(({ name }) => name === 'nobody') ?? users[0]
  if (!found) throw new StartupError('PostgreSQL does not run as root, and this machine has no other user.')
  return { uid: found.uid, gid: found.gid }
}

export function chownFolder(folder: string, to: RunAs): void {
  if (to === null) return
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      lchownSync(join(entry.parentPath, entry.name), to.uid, to.gid)
    }
    chownSync(folder, to.uid, to.gid)
  } catch (error) {
    throw new StartupError(
      `PostgreSQL does not run as root, and ${folder} cannot be changed to another owner (${String(error)}): start as an ordinary user, or set DATABASE_URL.`,
    )
  }
}
