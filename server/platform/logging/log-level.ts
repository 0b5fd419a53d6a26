import { watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/**
 * While this file lies in the data folder, the level that it names is the one of every process of the start; the setting's is that of
 * the rest of the time. A process that takes the place of another one finds it too.
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
  // Each look waits for the one before, so that the last word is the one that holds.
  const lookInTurn = () => {
    turns = turns.then(look)
  }

  watchFile(path, { interval: lookEveryMs, persistent: false }, lookInTurn)
  lookInTurn()
}

const lookEveryMs = 1_000

const words: readonly string[] = logLevels
const isLevel = (word: string): boolean => words.includes(word)

/** Null: there is no such file, or nothing in it yet. */
async function wordIn(path: string): Promise<string | null | Error> {
  try {
    return (await readFile(path, 'utf8')).trim().toLowerCase() || null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : (error as Error)
  }
}

/** Said at the level that lets more through: a log that falls silent says why. */
function change(log: Logger, level: string): void {
  const from = log.level
  const say = () => log.warn({ from, to: level }, 'log level changed')
  const isQuieter = words.indexOf(level) > words.indexOf(from)
  if (isQuieter) say()
  log.level = level
  if (!isQuieter) say()
}
