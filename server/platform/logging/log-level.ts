import { watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/**
 * Uses the level named in `DATA_DIR/log-level` while that file exists, otherwise the configured
 * level. Applies to all processes, including replacements.
 */
export function watchLogLevel(log: Logger, dataDir: string, configured: string): void {
  const path = join(dataDir, 'log-level')
  let last = configured
  let pending = Promise.resolve()

  async function applyLevel(): Promise<void> {
    const found = await readLevelFile(path)
    const level = found instanceof Error ? null : (found ?? configured)
    if (level !== null && isLevel(level)) {
      if (level !== last) setLevel(log, level)
      last = level
    } else {
      const because = found instanceof Error ? found.message : `must be one of ${logLevels.join(', ')}`
      log.error({ path, because }, 'the log level could not be changed')
    }
  }
  // Sequential, so that the last change wins.
  const applyInOrder = () => {
    pending = pending.then(applyLevel)
  }

  watchFile(path, { interval: pollMs, persistent: false }, applyInOrder)
  applyInOrder()
}

const pollMs = 1_000

const levels: readonly string[] = logLevels
const isLevel = (level: string): boolean => levels.includes(level)

/** Null if the file is missing or empty. */
async function readLevelFile(path: string): Promise<string | null | Error> {
  try {
    return (await readFile(path, 'utf8')).trim().toLowerCase() || null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : (error as Error)
  }
}

/** Logged at the more verbose level, so that the log shows why it became silent. */
function setLevel(log: Logger, level: string): void {
  const from = log.level
  const logChange = () => log.warn({ from, to: level }, 'log level changed')
  const isQuieter = levels.indexOf(level) > levels.indexOf(from)
  if (isQuieter) logChange()
  log.level = level
  if (!isQuieter) logChange()
}
