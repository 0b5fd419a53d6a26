import { setTimeout as pause } from 'node:timers/promises'
import { afterCommit, type Db } from '../../platform/database/open.ts'
import { keepTrying } from '../../shared/keep-trying.ts'
import { sendSignals } from './repository.ts'
import { encodeMissed, named } from './signal.ts'

// A commit that has something to say holds a lock of the whole database until it is on the disk, and on a standby's: no other such
// commit shares that wait with it. So signals leave after the commit, many at once, without a wait of their own (decision 59).

type Outbox = { waiting: Set<string>; isSending: boolean }
/** Of each pool, by its `Db`. */
const outboxes = new WeakMap<Db, Outbox>()

/** Says this to all processes of the database once the transaction has committed. */
export async function publish(tx: Db, signals: readonly string[]): Promise<void> {
  if (!afterCommit(tx, (db) => post(db, signals))) await sendSignals(tx, { signals: signals.map(named) })
}

export const publishResync = (db: Db): Promise<void> => publish(db, [encodeMissed()])

async function post(db: Db, signals: readonly string[]): Promise<void> {
  const outbox = outboxes.get(db) ?? { waiting: new Set(), isSending: false }
  outboxes.set(db, outbox)
  for (const signal of signals) outbox.waiting.add(signal)
  if (outbox.isSending) return
  outbox.isSending = true
  // What else this commit says leaves with it.
  await Promise.resolve()
  try {
    while (outbox.waiting.size > 0) {
      await sendWaiting(db, outbox)
      await pause(gapMs)
    }
  } finally {
    outbox.isSending = false
  }
}

async function sendWaiting(db: Db, { waiting }: Outbox): Promise<void> {
  const leaving = [...waiting].slice(0, mostAtOnce)
  for (const signal of leaving) waiting.delete(signal)
  const signals = leaving.map(named)
  // Where even that is not long enough, every listener has lost its connection too, and its pages read anew once it is back.
  await keepTrying(() => sendSignals(db, { signals }))
}

const mostAtOnce = 500
/** On a busy server what is said leaves together: a statement for every few changes cost a twentieth of them. */
const gapMs = 10
