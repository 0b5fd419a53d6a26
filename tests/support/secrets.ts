import { appendFileSync, copyFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

const folder = process.env.TEST_LOGS

/**
 * Records a value that must not appear in any log. `npm test` searches the logs of the whole run.
 */
export function recordSecret(secret: string): void {
  if (folder && secret.length >= 8) appendFileSync(join(folder, 'secrets.txt'), `${secret}\n`)
}

/** Records typed passwords and codes. Words that also occur in paths would match everywhere. */
export function recordSecretsIn(fields: object): void {
  for (const [name, value] of Object.entries(fields))
    if (
      /password$|^code$|verificationCode/i.test(name) &&
      typeof value === 'string' &&
      !/^[a-z]*$/i.test(value)
    )
      recordSecret(value)
}

/** Copies the logs of a data folder about to be deleted, for the same search. */
export function copyLogs(dataDir: string): void {
  if (!folder) return
  const files = readdirSync(dataDir, { withFileTypes: true }).filter((one) => one.isFile())
  for (const file of files.map(({ name }) => name).filter((name) => /\.log(\.\d+)?$/.test(name)))
    copyFileSync(
      join(dataDir, file),
      join(folder, `${basename(dataDir)}-${file.replace(/\.log\.(\d+)$/, '.$1.log')}`),
    )
}
