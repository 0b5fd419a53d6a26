import { appendFileSync, copyFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

const folder = process.env.TEST_LOGS

/** What must never stand in a log: `npm test` looks for every one of them in the logs of the whole run. */
export function keepSecret(secret: string): void {
  if (folder && secret.length >= 8) appendFileSync(join(folder, 'secrets.txt'), `${secret}\n`)
}

/** Passwords and codes that somebody types; words that also stand in addresses would be found everywhere. */
export function keepSecretsIn(fields: object): void {
  for (const [name, value] of Object.entries(fields))
    if (
      /password$|^code$|verificationCode/i.test(name) &&
      typeof value === 'string' &&
      !/^[a-z]*$/i.test(value)
    )
      keepSecret(value)
}

/** The logs of a data folder that is about to go, kept for the same look. */
export function keepLogs(dataDir: string): void {
  if (!folder) return
  const files = readdirSync(dataDir, { withFileTypes: true }).filter((one) => one.isFile())
  for (const file of files.map(({ name }) => name).filter((name) => /\.log(\.\d+)?$/.test(name)))
    copyFileSync(
      join(dataDir, file),
      join(folder, `${basename(dataDir)}-${file.replace(/\.log\.(\d+)$/, '.$1.log')}`),
    )
}
