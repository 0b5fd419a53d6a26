import { reasonOf } from '../../shared/reason-of.ts'
import type { Migrated } from '../database/migrate.ts'

type Later = {
  first: Migrated['putOff']
  migrate: () => Promise<Migrated>
  print: (line: string) => void
}

/**
 * Runs migrations that older servers do not tolerate once those servers have ended
 * (R-everywhere-54). Retries every 5 s and logs only changes: the wait, a new reason, and the end.
 * Returns a function that stops it.
 */
export function runDeferredMigrations({ first, migrate, print }: Later): () => void {
  if (!first) return () => {}
  let isOver = false
  let timer: NodeJS.Timeout
  let said = ''
  const tell = (line: string) => {
    if (line !== said && !isOver) print(line)
    said = line
  }
  const tellWait = ({ step, because }: NonNullable<Migrated['putOff']>) => tell(`${step} waits: ${because}.`)
  const again = () => {
    if (!isOver) timer = setTimeout(tryPatiently, everyMs)
  }
  async function tryOnce(): Promise<void> {
    const { ran, putOff } = await migrate()
    if (ran.length > 0) tell(`Database brought up to date (${ran.length} steps that waited).`)
    if (putOff) tellWait(putOff)
    if (putOff) again()
  }
  const tryPatiently = () =>
    tryOnce().catch((error) => {
      tell(`${first.step} waits: ${reasonOf(error)}`)
      again()
    })
  tellWait(first)
  timer = setTimeout(tryPatiently, everyMs)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

const everyMs = 5_000
