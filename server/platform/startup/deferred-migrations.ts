import { describeError } from '../../shared/describe-error.ts'
import type { MigrationResult } from '../database/migrate.ts'

type DeferredOptions = {
  first: MigrationResult['deferred']
  migrate: () => Promise<MigrationResult>
  print: (line: string) => void
}

/**
 * Runs migrations that older servers do not tolerate once those servers have ended
 * (R-everywhere-54). Retries every 5 s and logs only changes: the wait, a new reason, and the end.
 * Returns a function that stops it.
 */
export function runDeferredMigrations({ first, migrate, print }: DeferredOptions): () => void {
  if (!first) return () => {}
  let isOver = false
  let timer: NodeJS.Timeout
  let lastLine = ''
  const printOnce = (line: string) => {
    if (line !== lastLine && !isOver) print(line)
    lastLine = line
  }
  const printWait = ({ step, because }: NonNullable<MigrationResult['deferred']>) =>
    printOnce(`${step} waits: ${because}.`)
  const schedule = () => {
    if (!isOver) timer = setTimeout(retry, retryMs)
  }
  async function migrateOnce(): Promise<void> {
    const { ran, deferred } = await migrate()
    if (ran.length > 0) printOnce(`Database migrated (${ran.length} deferred migrations).`)
    if (deferred) printWait(deferred)
    if (deferred) schedule()
  }
  const retry = () =>
    migrateOnce().catch((error) => {
      printOnce(`${first.step} waits: ${describeError(error)}`)
      schedule()
    })
  printWait(first)
  timer = setTimeout(retry, retryMs)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

const retryMs = 5_000
