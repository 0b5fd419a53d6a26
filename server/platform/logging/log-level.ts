import { watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/**
 * Uses the level named in `DATA_DIR/log-level` while that file exists, otherwise the one of the
 * setting. Applies to all processes, including replacements.
 */
export function followLevel(log: Logger, dataDir: string, ofSetting: string): void {
  const path = join(dataDir, 'log-level')
  let last = ofSetting
  let turns = Promise.resolve()

  async function look(): Promise<void> {
    const named = await wordIn(path)
    const wanted = named instanceof Error ? null : (named ?? ofSetting)
    if (wanted !== null && isLevel(wanted)) {
      if (wanted !== last) change(log, wanted)
      last = wanted
    } else {
      const because = named instanceof Error ? named.message : `must be one of ${logLevels.join(', ')}`
      log.error({ path, because }, 'the log level stays as it is')
    }
  }
  // Sequential, so that the last change wins.
  const lookInTurn = () => {
    turns = turns.then(look)
  }

  watchFile(path, { interval: lookEveryMs, persistent: false }, lookInTurn)
  lookInTurn()
}

const lookEveryMs = 1_000

const words: readonly string[] = logLevels
const isLevel = (word: string): boolean => words.includes(word)

/** Null if the file is missing or empty. */
async function wordIn(path: string): Promise<string | null | Error> {
  try {
    return (await readFile(path, 'utf8')).trim().toLowerCase() || null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : (error as Error)
  }
}

/** Logged at the more verbose level, so that the log shows why it became silent. */
function change(log: Logger, level: string): void {
  const from = log.level
  const say = () => log.warn({ from, to: level }, 'log level changed')
  const isQuieter = words.indexOf(level) > words.indexOf(from)
  if (isQuieter) say()
  log.level = level
  if (!isQuieter) say()
}
