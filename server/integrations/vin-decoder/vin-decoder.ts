import { isVinShape } from '@keyturn/contract/shared/vin.ts'
import { createQueue, type QueueLimits } from '../../platform/workers/queue.ts'
import { createThreadWorker, type ThreadOptions, workerUrl } from '../../platform/workers/thread-worker.ts'

export type DecodedVin = {
  vin: string
  make: string
  model: string
  year: number
  /** As in the data: empty when the VIN does not encode it, a list when it is ambiguous. */
  trim: string
  /** "Sedan/Saloon", "Pickup"...: empty when unknown. */
  bodyClass: string
}

export type VinDecoder = {
  /**
   * Returns the car of a normalized VIN; null when the data does not include it. This is slow, 0.1
   * to 1 s: look in the database's stored answers first. Throws `Unavailable` when it cannot answer
   * in time, which says nothing about the VIN. Throws `TooManyRequests` when this caller already
   * waits for other VINs: one worker serves everybody, and no caller may take every slot.
   */
  decode(vin: string, caller: string): Promise<DecodedVin | null>
  /** Starts the worker for an expected lookup and does not wait for it. */
  warm(): void
  close(): Promise<void>
}

/**
 * Opens the embedded decoder of NHTSA's vPIC data, read by a thread that decodes one VIN at a time.
 * A lookup computes for 0.1 s or more and would block the event loop. The thread is stopped when
 * idle because it holds some 160 MB.
 */
export function createVinDecoder({
  script = defaultScript,
  onFault = () => undefined,
  startWithinMs,
  idleAfterMs,
  ...more
}: Options = {}): VinDecoder {
  const worker = createThreadWorker<string, DecodedVin | null>({
    name: 'VIN decoder',
    script,
    startWithinMs,
    idleAfterMs,
    onFault,
  })
  const queue = createQueue({ name: 'VIN look-up', worker, limits: { ...defaultLimits, ...more }, onFault })
  return {
    decode: (vin, caller) =>
      vin.length === 17 && isVinShape(vin) ? queue.ask(vin, caller) : Promise.resolve(null),
    warm: queue.warm,
    close: queue.close,
  }
}

type Options = Partial<QueueLimits & Omit<ThreadOptions, 'name'>>

const defaultLimits: QueueLimits = {
  places: 1,
  // The number of lookups that one thread answers within the time below on a slow machine; more
  // would wait only to be rejected.
  maxWaiting: 12,
  // A person looks at one car at a time, occasionally in two tabs.
  maxPerCaller: 2,
  // Together with the lookup's own time, just below the request timeout of a page.
  maxWaitMs: 24_000,
  // As long as a person tolerates a spinner next to a field; four times the slowest lookup
  // measured.
  maxRunMs: 5000,
}

const defaultScript = workerUrl(import.meta.url, 'vin-worker')
