import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { openForLines } from './data-folder.ts'

const warn = pino.levels.values.warn as number

/** JSON lines: to standard output in production, beside the embedded data elsewhere, so that the terminal stays readable. */
export function openLog(config: Pick<Config, 'logLevel' | 'production' | 'dataDir'>): Logger {
  const standardOutput = 1
  const lines = pino.destination({
    dest: config.production ? standardOutput : openForLines(config.dataDir, 'keyturn.log'),
    sync: false,
    // A write per change would cost a tenth of the change.
    minLength: 4096,
    periodicFlush: 1000,
  })
  return pino(
    {
      level: config.logLevel,
      redact: ['req.headers', '*.password', '*.code', '*.token'],
      hooks: {
        // What tells why a process died must not die with it.
        logMethod(line, log, level) {
          log.apply(this, line)
          if (level < warn) return
          lines.flush()
          // While a write is under way that does nothing, and is asked again after it.
          if (lines.listenerCount('drain') === 0) lines.once('drain', () => lines.flush())
        },
      },
    },
    lines,
  )
}
