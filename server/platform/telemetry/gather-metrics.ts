import type { Worker } from 'node:cluster'
import { AggregatorRegistry, Counter, Gauge, type Registry } from 'prom-client'
import { newId } from '../database/new-id.ts'

// Any process of one start returns the metrics of all of them (decision 51).

type Asked = { metricsOf: string }
type Told = { metricsTold: string; lines: object[] }
type Wanted = { metricsWanted: string }
type Given = { metricsGiven: string; text: string }

/** A process that does not answer in time is omitted and counted as missing. */
const maxWaitMs = 3_000

type Gatherer = {
  text(members: Worker[]): Promise<string>
  handleMessage(member: Worker, message: object, members: Worker[]): boolean
  countHung(): void
}

export function createMetricsGatherer(size: number): Gatherer {
  const waiting = new Map<string, (lines: object[]) => void>()
  let hung = 0

  const ask = (member: Worker) =>
    new Promise<object[] | null>((resolve) => {
      const id = newId()
      const timer = setTimeout(done, maxWaitMs, null)
      function done(lines: object[] | null): void {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(lines)
      }
      waiting.set(id, done)
      if (member.isConnected()) member.send({ metricsOf: id } satisfies Asked)
      else done(null)
    })

  async function text(members: Worker[]): Promise<string> {
    const answers = (await Promise.all(members.map(ask))).filter((lines) => lines !== null)
    const all = AggregatorRegistry.aggregate(answers)
    const registers = [all]
    new Gauge({ name: 'keyturn_processes', help: 'Configured number of processes', registers }).set(size)
    new Gauge({
      name: 'keyturn_processes_answering',
      help: 'Processes included in these metrics',
      registers,
    }).set(answers.length)
    new Counter({
      name: 'keyturn_processes_hung_total',
      help: 'Processes killed because they did not answer for 10 s',
      registers,
    }).inc(hung)
    return all.metrics()
  }

  return {
    text,
    countHung() {
      hung += 1
    },
    handleMessage(member, message, members) {
      const { metricsTold, lines = [], metricsWanted } = message as Partial<Told & Wanted>
      if (metricsTold !== undefined) waiting.get(metricsTold)?.(lines)
      if (metricsWanted === undefined) return metricsTold !== undefined
      void text(members).then((all) => {
        if (member.isConnected()) member.send({ metricsGiven: metricsWanted, text: all } satisfies Given)
      })
      return true
    },
  }
}

/**
 * In a worker process: sends its metrics on request, and requests those of all processes for a
 * scrape.
 */
export function createAllMetricsRequest(own: Registry): () => Promise<string> {
  const waiting = new Map<string, (text: string) => void>()
  process.on('message', async ({ metricsOf, metricsGiven, text = '' }: Partial<Asked & Given>) => {
    if (metricsGiven !== undefined) waiting.get(metricsGiven)?.(text)
    if (metricsOf === undefined) return
    const lines = await own.getMetricsAsJSON()
    process.send?.({ metricsTold: metricsOf, lines } satisfies Told)
  })
  return () =>
    new Promise((resolve) => {
      const id = newId()
      waiting.set(id, (text) => {
        waiting.delete(id)
        resolve(text)
      })
      process.send?.({ metricsWanted: id } satisfies Wanted)
    })
}
