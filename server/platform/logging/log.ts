import { type Logger, pino } from 'pino'
import type { Config } from '../../config.ts'
import { openAppend } from '../startup/data-folder.ts'
import { openLineWriter } from './log-lines.ts'

const warn = pino.levels.values.warn as number
const standardOutput = 1

type Log = {
  log: Logger
  /** Reopens the file after log rotation. */
  reopen(): void
}

/** Opens a JSON log: standard output in production, otherwise a file in the data folder. */
export function openLog(config: Pick<Config, 'logLevel' | 'logTo' | 'dataDir'>): Log {
  const lines = openLineWriter({
    open: () => (config.logTo === 'stdout' ? standardOutput : openAppend(config.dataDir, 'keyturn.log')),
    onFault: (why) => printError(`The log cannot be written, and its lines are dropped: ${why.message}`),
    onRecovered: (dropped) => log.warn({ dropped }, 'some log lines could not be written'),
  })
  const log = pino(
    {
      level: config.logLevel,
      redact: {
        paths: ['req.headers', '*.password', '*.code', '*.token', 'err.code', 'err.detail'],
        censor: (value, path) => (isErrorCode(value, path) ? value : '[Redacted]'),
      },
      hooks: {
        // Flushed immediately, because the process may be about to exit.
        logMethod(line, write, level) {
          write.apply(this, line)
          if (level >= warn) lines.flush()
        },
      },
    },
    lines,
  )
  process.once('exit', () => {
    const lost = lines.end()
    if (lost > 0) printError(`${lost} lines of the log could not be written.`)
  })
  return {
    log,
    reopen() {
      try {
        lines.reopen()
      } catch (error) {
        printError(`The log file could not be reopened: ${(error as Error).message}`)
      }
    },
  }
}

const printError = (line: string) => process.stderr.write(`${line}\n`)

/** Matches error codes of PostgreSQL and Node only; codes from emails have another format. */
const isErrorCode = (value: unknown, [from, name]: unknown[]) =>
  from === 'err' &&
  name === 'code' &&
  typeof value === 'string' &&
  /^([\dA-Z]{5}|[A-Z][A-Z\d]*(_[A-Z\d]+)*)$/.test(value)
