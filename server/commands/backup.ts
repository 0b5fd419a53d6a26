import { readHeadForBackup } from '../modules/agreements/evidence-log/evidence-log.ts'
import { beginBackup, endBackup } from '../platform/backup/backup-repository.ts'
import { makeBackup } from '../platform/backup/make-backup.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import { connectForCommand, readCommandConfig } from '../platform/startup/command-connection.ts'
import { StartupError } from '../platform/startup/startup-error.ts'
import { openStore } from '../platform/storage/open-store.ts'
import { describeError } from '../shared/describe-error.ts'
import { print } from '../shared/print.ts'

// `npm run backup -- FOLDER`: writes a consistent backup of the database, photos and keys into a
// new subfolder of FOLDER. It works whether or not the server is running; the server makes the
// same backup at the times in BACKUP_AT.

async function backUp(env: NodeJS.ProcessEnv, folder: string | undefined): Promise<void> {
  process.umask(0o077)
  const config = readCommandConfig(env)
  const target = folder ?? config.backup?.folder
  if (target === undefined) throw new StartupError('Name the folder for backups: npm run backup -- FOLDER')
  const { connection, stop } = await connectForCommand(config, print)
  const { db, pool, close } = openDatabase({ ...connection, max: 2 })
  const photos = openStore(config)
  const row = await beginBackup(db)
  try {
    const { path, manifest } = await makeBackup({ pool, photos, config, readHead: readHeadForBackup }, target)
    await endBackup(db, row, { path })
    for (const missing of manifest.missing) print(`[WARNING] The store lacks an intact ${missing}`)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    print(
      `${rows} rows, ${manifest.photos.files} files of photos, ${manifest.documents?.files ?? 0} agreements, keys: ${manifest.keys.join(', ') || 'none'}`,
    )
    print(
      'The backup contains everybody’s data and your signing keys: store it as safely as a key. It does not contain the settings (.env).',
    )
    print(path)
  } catch (error) {
    await endBackup(db, row, { failedBecause: describeError(error) }).catch(() => {})
    throw error
  } finally {
    await photos.close()
    await close()
    await stop()
  }
}

try {
  await backUp(process.env, process.argv[2])
} catch (error) {
  process.stderr.write(`${error instanceof StartupError ? error.message : describeError(error)}\n`)
  process.exitCode = 1
}
