import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env.TEST_LOGS

/** What must never stand in a log: `npm test` looks for every one of them in the logs of the whole run. */
export function keepSecret(secret: string): void {
  if (folder && secret.length >= 8) appendFileSync(join(folder, 'secrets.txt'), `${secret}\n`)
}
