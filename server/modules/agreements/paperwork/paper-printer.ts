import { type Limits, openQueue } from '../../../platform/workers/queue.ts'
import { openThread, type ThreadOptions, workerBeside } from '../../../platform/workers/thread.ts'
import type { PrintedPaper } from './paper-pdf.ts'

type Bytes = Uint8Array<ArrayBuffer>
export type PaperPrinter = {
  /** Refuses `Unavailable` when it cannot draw in time, and `TooManyRequests` when this reader waits for others already. */
  print(paper: PrintedPaper, reader: string): Promise<Bytes>
  close(): Promise<void>
}

/** Draws drafts in a thread of its own: apart from agreements, so that no draft delays a signed paper. */
export function openPaperPrinter({ onFault }: Pick<ThreadOptions, 'onFault'>): PaperPrinter {
  const doer = openThread<PrintedPaper, Bytes>({ name: 'Paperwork', script, onFault })
  const queue = openQueue({ name: 'Drawing a draft', doer, limits, onFault })
  return { print: queue.ask, close: queue.close }
}

const limits: Limits = {
  places: 1,
  waitingAtMost: 15,
  // All four at once.
  ofOneAsker: 4,
  // Together just less than a page waits for any answer.
  waitAtMostMs: 19_000,
  answerWithinMs: 10_000,
}

const script = workerBeside(import.meta.url, 'paper-worker')
