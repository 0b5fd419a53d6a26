import { isVinShape } from '@keyturn/contract/shared/vin.ts'
import { type Limits, openQueue } from '../../platform/workers/queue.ts'
import { openThread, type ThreadOptions, workerBeside } from '../../platform/workers/thread.ts'

export type DecodedVin = {
  vin: string
  make: string
  model: string
  year: number
  /** As the data have it: empty when the maker does not write it into the VIN; a list when it writes only so much. */
  trim: string
  /** "Sedan/Saloon", "Pickup"...: empty when not known. */
  bodyClass: string
}

export type VinDecoder = {
  /**
   * The car that a normalized VIN stands for; null when there is no such car in the data. This is the slow path,
   * a tenth of a second to a whole one: ask the answers kept in the database first.
   * Refuses `Unavailable` when it cannot say in time, which says nothing about the VIN, and `TooManyRequests` when
   * this caller waits for others already: one worker serves all, and nobody may take every place.
   */
  decode(vin: string, caller: string): Promise<DecodedVin | null>
  /** Somebody is about to ask: starts the worker and does not wait for it. */
  warm(): void
  close(): Promise<void>
}

/**
 * The embedded decoder: the vPIC data of NHTSA, which lie in a package, read by a thread of one VIN at a time.
 * A thread of its own because a look-up computes for a tenth of a second and more, and would hold up everyone;
 * let go when idle because it holds some 160 MB.
 */
export function openVinDecoder({
  script = usualScript,
  onFault = () => undefined,
  startWithinMs,
  idleAfterMs,
  ...more
}: Options = {}): VinDecoder {
  const doer = openThread<string, DecodedVin | null>({
    name: 'VIN decoder',
    script,
    startWithinMs,
    idleAfterMs,
    onFault,
  })
  const queue = openQueue({ name: 'VIN look-up', doer, limits: { ...usual, ...more }, onFault })
  return {
    decode: (vin, caller) =>
      vin.length === 17 && isVinShape(vin) ? queue.ask(vin, caller) : Promise.resolve(null),
    warm: queue.warm,
    close: queue.close,
  }
}

type Options = Partial<Limits & Omit<ThreadOptions, 'name'>>

const usual: Limits = {
  places: 1,
  // What one thread answers within the time below on a slow machine; more would only wait to be refused.
  waitingAtMost: 12,
  // A person looks at one car at a time, now and then in two tabs.
  ofOneAsker: 2,
  // With the time of the look-up itself just less than a page waits for any answer.
  waitAtMostMs: 24_000,
  // As long as a person looks at a spinner beside a field; four times the slowest look-up seen.
  answerWithinMs: 5000,
}

const usualScript = workerBeside(import.meta.url, 'vin-worker')
