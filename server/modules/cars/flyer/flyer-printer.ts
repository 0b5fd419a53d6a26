import { createQueue, type QueueLimits } from '../../../platform/workers/queue.ts'
import { createThreadWorker, type ThreadOptions, workerUrl } from '../../../platform/workers/thread-worker.ts'
import type { Flyer } from './flyer-pdf.ts'

type Bytes = Uint8Array<ArrayBuffer>
export type FlyerPrinter = {
  /** Throws `Unavailable` on a timeout, `TooManyRequests` when this seller waits for two. */
  print(flyer: Flyer, seller: string): Promise<Bytes>
  close(): Promise<void>
}

/** Draws flyers in a thread separate from agreements, so that flyers do not delay signed PDFs. */
export function createFlyerPrinter({ onFault }: Pick<ThreadOptions, 'onFault'>): FlyerPrinter {
  const worker = createThreadWorker<Flyer, Bytes>({ name: 'Flyers', script, onFault })
  const queue = createQueue({ name: 'Drawing a flyer', worker, limits, onFault })
  return { print: queue.ask, close: queue.close }
}

const limits: QueueLimits = {
  places: 1,
  maxWaiting: 15,
  maxPerCaller: 2,
  // In total slightly less than the time that a page waits for a response.
  maxWaitMs: 19_000,
  maxRunMs: 10_000,
}

const script = workerUrl(import.meta.url, 'flyer-worker')
