import { Gauge, type Registry } from 'prom-client'
import { atMost } from '../../shared/at-most.ts'
import type { Reading } from './readings.ts'

/** Asks the database; by statements that cost the same however much there is. */
export type Facts = () => Promise<Reading[]>

/** Scrapes come every 15 seconds or more; whoever asks oftener gets what was read last. */
const freshMs = 5_000
/** A scrape waits no longer: what this process says of itself matters most while the database is slow. */
const waitAtMostMs = 1_500

/**
 * Gauges whose values the database has. What it did not answer in time is left out rather than told as it was; `onFault` hears why, once
 * until it answers again.
 */
export function askedGauges(
  names: Readonly<Record<Reading['gauge'], { help: string; label: string }>>,
  registry: Registry,
  onFault: (why: unknown) => void,
): { add: (facts: Facts) => void } {
  const sources: Facts[] = []
  const gauges = new Map<string, Gauge>()
  // Several processes say the same of one database.
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
        // Whoever reads, the process itself or one that gathers: all of them wait for the same question.
        collect: ask,
      }),
    )
  let readAt = Number.NEGATIVE_INFINITY
  let isWhole = true
  let reading: Promise<void> | null = null

  async function read(): Promise<void> {
    const answered = await Promise.allSettled(sources.map((facts) => facts()))
    forget()
    for (const { gauge, of, value } of answered.flatMap((one) =>
      one.status === 'fulfilled' ? one.value : [],
    ))
      gauges.get(gauge)?.set(of === undefined ? {} : { [names[gauge].label]: of }, value)
    const fault = answered.find((one) => one.status === 'rejected')
    if (fault && isWhole) onFault(fault.reason)
    isWhole = !fault
    readAt = performance.now()
    reading = null
  }

  const isFresh = () => performance.now() - readAt < freshMs

  function forget(): void {
    for (const gauge of gauges.values()) {
      gauge.reset()
      // One without labels would say 0.
      gauge.remove({})
    }
  }

  const answers = new Gauge({
    name: 'keyturn_database_answers',
    help: '1 when the database has told in time what this page asked it for',
    aggregator: 'min',
    registers: [registry],
    collect: ask,
  })

  async function ask(): Promise<void> {
    if (!isFresh()) {
      // One that hangs is waited for by all, and asked no second time.
      reading ??= read()
      await atMost(waitAtMostMs, reading)
      if (!isFresh()) forget()
    }
    answers.set(isFresh() && isWhole ? 1 : 0)
  }

  return { add: (facts) => void sources.push(facts) }
}
