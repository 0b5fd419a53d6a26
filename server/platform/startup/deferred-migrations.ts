import { reasonOf } from '../../shared/reason-of.ts'
import type { Migrated } from '../database/migrate.ts'

type Later = {
  first: Migrated['putOff']
  migrate: () => Promise<Migrated>
  say: (line: string) => void
}

/**
 * Steps that older servers cannot bear are taken once those have ended (R-everywhere-54): tried anew every few seconds, and said when
 * they wait, when it is for another reason, and when they are done. Answers how to stop.
 */
export function runDeferredMigrations({ first, migrate, say }: Later): () => void {
  if (!first) return () => {}
  let isOver = false
  let timer: NodeJS.Timeout
  let said = ''
  const tell = (line: string) => {
    if (line !== said && !isOver) say(line)
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
