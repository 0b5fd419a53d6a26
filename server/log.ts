import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { openForLines } from './data-folder.ts'

/** JSON lines: to standard output in production, beside the embedded data elsewhere, so that the terminal stays readable. */
export function openLog(config: Config): Logger {
  const options = { level: config.logLevel, redact: ['req.headers', '*.password', '*.code', '*.token'] }
  if (config.production) return pino(options)
  const dest = openForLines(config.dataDir, 'keyturn.log')
  return pino(options, pino.destination({ dest, sync: false, minLength: 0 }))
}
