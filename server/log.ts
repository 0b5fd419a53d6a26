import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/** JSON lines: to standard output in production, beside the embedded data elsewhere, so that the terminal stays readable. */
export function openLog(config: Config): Logger {
  const options = { level: config.logLevel, redact: ['req.headers', '*.password', '*.code', '*.token'] }
  if (config.production) return pino(options)
  mkdirSync(config.dataDir, { recursive: true })
  return pino(
    options,
    pino.destination({ dest: join(config.dataDir, 'keyturn.log'), sync: false, minLength: 0 }),
  )
}
