import { setTimeout as pause } from 'node:timers/promises'
import { afterCommit, type Db } from '../../../platform/database/open-database.ts'
import { retryWrite } from '../../../shared/retry-write.ts'
import { sendSignals } from '../repository.ts'
import { addSignalId, encodeMissedSignal } from './signal.ts'

// A transaction that notifies holds a database-wide lock until its commit is on disk, including the
// disk of a standby. Such commits cannot share that wait. Signals are therefore sent after the
// commit, in batches and without waiting for the disk (decision 59).

type Outbox = { waiting: Set<string>; isSending: boolean }
/** One outbox for each pool, by its `Db`. */
const outboxes = new WeakMap<Db, Outbox>()

/** Sends signals to all processes of the database once the transaction has committed. */
export async function publishSignals(tx: Db, signals: readonly string[]): Promise<void> {
  if (!afterCommit(tx, (db) => enqueueSignals(db, signals)))
    await sendSignals(tx, { signals: signals.map(addSignalId) })
}

export const publishResync = (db: Db): Promise<void> => publishSignals(db, [encodeMissedSignal()])

async function enqueueSignals(db: Db, signals: readonly string[]): Promise<void> {
  const outbox = outboxes.get(db) ?? { waiting: new Set(), isSending: false }
  outboxes.set(db, outbox)
  for (const signal of signals) outbox.waiting.add(signal)
  if (outbox.isSending) return
  outbox.isSending = true
  // Lets the other signals of this commit join the batch.
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
  const batch = [...waiting].slice(0, maxBatch)
  for (const signal of batch) waiting.delete(signal)
  const signals = batch.map(addSignalId)
  // When the retries run out, every listener has lost its connection too, and its pages reload on
  // reconnect.
  await retryWrite(() => sendSignals(db, { signals }))
}

const maxBatch = 500
/** Batches signals on a busy server: a statement for every few changes reduced throughput by 5%. */
const gapMs = 10
