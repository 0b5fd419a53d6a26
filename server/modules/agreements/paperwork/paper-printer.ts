import { createQueue, type QueueLimits } from '../../../platform/workers/queue.ts'
import { createThreadWorker, type ThreadOptions, workerUrl } from '../../../platform/workers/thread-worker.ts'
import type { DraftAgreement } from '../pdf/agreement-pdf.ts'
import type { PaperToPrint } from './paper-pdf.ts'

type Bytes = Uint8Array<ArrayBuffer>
/** A draft of the dealer's papers, or of the sheet that somebody is about to sign. */
export type DraftJob = PaperToPrint | { draft: DraftAgreement }
export type PaperPrinter = {
  /**
   * Throws `Unavailable` when it cannot render in time, and `TooManyRequests` when this reader has
   * too many pending requests.
   */
  print(paper: DraftJob, reader: string): Promise<Bytes>
  close(): Promise<void>
}

/** Renders drafts in a separate worker thread, so that no draft delays a signed agreement. */
export function createPaperPrinter({ onFault }: Pick<ThreadOptions, 'onFault'>): PaperPrinter {
  const worker = createThreadWorker<DraftJob, Bytes>({ name: 'Paperwork', script, onFault })
  const queue = createQueue({ name: 'Drawing a draft', worker, limits, onFault })
  return { print: queue.ask, close: queue.close }
}

const limits: QueueLimits = {
  places: 1,
  maxWaiting: 15,
  // A reader may request all four drafts together.
  maxPerCaller: 4,
  // In total slightly less than the timeout of a page.
  maxWaitMs: 19_000,
  maxRunMs: 10_000,
}

const script = workerUrl(import.meta.url, 'paper-worker')
