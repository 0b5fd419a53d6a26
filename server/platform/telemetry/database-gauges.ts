import { Gauge, type Registry } from 'prom-client'
import { withTimeLimit } from '../../shared/with-time-limit.ts'
import type { GaugeReading } from './gauge-reading.ts'

/** Reads gauges from the database, in constant time regardless of its size. */
export type ReadGauges = () => Promise<GaugeReading[]>

/** Scrapes come every 15 s or less often. More frequent ones get the last values. */
const freshMs = 5_000
/** Time limit for a scrape, because process metrics matter most while the database is slow. */
const maxWaitMs = 1_500

/**
 * Gauges read from the database. Values that are not read in time are omitted. `onFault` is called
 * once, and not again until the database answers.
 */
export function createDatabaseGauges(
  names: Readonly<Record<GaugeReading['gauge'], { help: string; label: string }>>,
  registry: Registry,
  onFault: (why: unknown) => void,
): { add: (facts: ReadGauges) => void } {
  const sources: ReadGauges[] = []
  const gauges = new Map<string, Gauge>()
  // All processes read the same database.
  const aggregator = 'max'
  for (const [name, { help, label }] of Object.entries(names))
    gauges.set(
      name,
      new Gauge({
        name,
        help,
        labelNames: label ? [label] : [],
        aggregator,
        registers: [registry],
        // Concurrent readers share one query.
        collect: refresh,
      }),
    )
  let readAt = Number.NEGATIVE_INFINITY
  let isComplete = true
  let reading: Promise<void> | null = null

  async function read(): Promise<void> {
    const answered = await Promise.allSettled(sources.map((facts) => facts()))
    clear()
    for (const { gauge, of, value } of answered.flatMap((one) =>
      one.status === 'fulfilled' ? one.value : [],
    ))
      gauges.get(gauge)?.set(of === undefined ? {} : { [names[gauge].label]: of }, value)
    const fault = answered.find((one) => one.status === 'rejected')
    if (fault && isComplete) onFault(fault.reason)
    isComplete = !fault
    readAt = performance.now()
    reading = null
  }

  const isFresh = () => performance.now() - readAt < freshMs

  function clear(): void {
    for (const gauge of gauges.values()) {
      gauge.reset()
      // A gauge without labels would report 0.
      gauge.remove({})
    }
  }

  const answers = new Gauge({
    name: 'keyturn_database_answers',
    help: '1 if the gauges of the database could be read in time',
    aggregator: 'min',
    registers: [registry],
    collect: refresh,
  })

  async function refresh(): Promise<void> {
    if (!isFresh()) {
      // A hanging query is shared, not repeated.
      reading ??= read()
      await withTimeLimit(maxWaitMs, reading)
      if (!isFresh()) clear()
    }
    answers.set(isFresh() && isComplete ? 1 : 0)
  }

  return { add: (facts) => void sources.push(facts) }
}
