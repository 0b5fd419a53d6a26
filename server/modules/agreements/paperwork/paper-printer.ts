import { type Limits, openQueue } from '../../../platform/workers/queue.ts'
import { openThread, type ThreadOptions, workerBeside } from '../../../platform/workers/thread.ts'
import type { PrintedPaper } from './paper-pdf.ts'

type Bytes = Uint8Array<ArrayBuffer>
export type PaperPrinter = {
  /**
   * Throws `Unavailable` when it cannot render in time, and `TooManyRequests` when this reader has
   * too many pending requests.
   */
  print(paper: PrintedPaper, reader: string): Promise<Bytes>
  close(): Promise<void>
}

/** Renders drafts in a separate worker thread, so that no draft delays a signed agreement. */
export function openPaperPrinter({ onFault }: Pick<ThreadOptions, 'onFault'>): PaperPrinter {
  const doer = openThread<PrintedPaper, Bytes>({ name: 'Paperwork', script, onFault })
  const queue = openQueue({ name: 'Drawing a draft', doer, limits, onFault })
  return { print: queue.ask, close: queue.close }
}

const limits: Limits = {
  places: 1,
  waitingAtMost: 15,
  // All four drafts at once.
  ofOneAsker: 4,
  // In total slightly less than the timeout of a page.
  waitAtMostMs: 19_000,
  answerWithinMs: 10_000,
}

const script = workerBeside(import.meta.url, 'paper-worker')
