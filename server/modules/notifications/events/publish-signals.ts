import { setTimeout as pause } from 'node:timers/promises'
import { afterCommit, type Db } from '../../../platform/database/open-database.ts'
import { retryWrite } from '../../../shared/retry-write.ts'
import { sendSignals } from '../repository.ts'
import { addSignalId, encodeResyncSignal } from './signal.ts'

// A transaction that notifies holds a database-wide lock until its commit is on disk, including the
// disk of a standby. Such commits cannot share that wait. Signals are therefore sent after the
// commit, in batches and without waiting for the disk (decision 59).

type SignalQueue = { waiting: Set<string>; isSending: boolean }
/** One queue of unsent signals per pool, keyed by its `Db`. */
const signalQueues = new WeakMap<Db, SignalQueue>()

/** Sends signals to all processes of the database once the transaction has committed. */
export async function publishSignals(tx: Db, signals: readonly string[]): Promise<void> {
  if (!afterCommit(tx, (db) => enqueueSignals(db, signals)))
    await sendSignals(tx, { signals: signals.map(addSignalId) })
}

export const publishResync = (db: Db): Promise<void> => publishSignals(db, [encodeResyncSignal()])

async function enqueueSignals(db: Db, signals: readonly string[]): Promise<void> {
  const queue = signalQueues.get(db) ?? { waiting: new Set(), isSending: false }
  signalQueues.set(db, queue)
  for (const signal of signals) queue.waiting.add(signal)
  if (queue.isSending) return
  queue.isSending = true
  // Lets the other signals of this commit join the batch.
  await Promise.resolve()
  try {
    while (queue.waiting.size > 0) {
      await sendWaiting(db, queue)
      await pause(gapMs)
    }
  } finally {
    queue.isSending = false
  }
}

async function sendWaiting(db: Db, { waiting }: SignalQueue): Promise<void> {
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
