import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { createDatabaseGauges, type ReadGauges } from './database-gauges.ts'
import { databaseGauges, processGauges } from './gauges.ts'

/** Result of a job, or that it threw or hung. */
export type JobResult = 'done' | 'again' | 'resting' | 'failed' | 'hung'

export type Metrics = {
  registry: Registry
  countResponse(call: string, status: number, seconds: number): void
  countRefusedSignIn(who: string, because: string): void
  countRefusedConnection(because: 'all' | 'address'): void
  countJob(kind: string, end: JobResult, seconds: number): void
  countRemoved(kind: string, count: number): void
  countRead(node: string): void
  addGauge(name: keyof typeof processGauges, read: () => number | Record<string, number>): void
  /** Registers gauges of the database. They are read on a scrape, at most every few seconds. */
  addDatabaseGauges(facts: ReadGauges): void
  text(): Promise<string>
}

/**
 * Opens the metrics of this process (decision 51), without personal data. `onFault` gets the error
 * when the database cannot be read.
 */
export function createMetrics(onFault: (why: unknown) => void): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'keyturn_requests_total',
    help: 'Responses by endpoint and status, without opened event streams',
    labelNames: ['call', 'status'],
    registers,
  })
  const latency = new Histogram({
    name: 'keyturn_request_seconds',
    help: 'Duration of requests by endpoint, without event streams',
    labelNames: ['call'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const signIns = new Counter({
    name: 'keyturn_sign_ins_refused_total',
    help: 'Rejected sign-ins by kind of account and reason',
    labelNames: ['who', 'because'],
    registers,
  })
  const connections = new Counter({
    name: 'keyturn_connections_refused_total',
    help: 'Connections refused at the limit of all connections or of one address',
    labelNames: ['because'],
    registers,
  })
  const jobs = new Counter({
    name: 'keyturn_jobs_total',
    help: 'Jobs that this process has run, by kind and result',
    labelNames: ['kind', 'end'],
    registers,
  })
  const jobSeconds = new Histogram({
    name: 'keyturn_job_seconds',
    help: 'Duration of jobs by kind',
    labelNames: ['kind'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 120],
    registers,
  })
  const removed = new Counter({
    name: 'keyturn_rows_removed_total',
    help: 'Rows that were removed at the end of their retention, by kind',
    labelNames: ['kind'],
    registers,
  })
  const reads = new Counter({
    name: 'keyturn_reads_total',
    help: 'Reads that a standby may answer, by node: standby, primary, or both if a standby failed or found nothing',
    labelNames: ['node'],
    registers,
  })
  const databaseReadings = createDatabaseGauges(databaseGauges, registry, onFault)
  return {
    registry,
    countResponse(call, status, seconds) {
      requests.inc({ call, status })
      latency.observe({ call }, seconds)
    },
    countRefusedSignIn: (who, because) => signIns.inc({ who, because }),
    countRefusedConnection: (because) => connections.inc({ because }),
    countJob(kind, end, seconds) {
      jobs.inc({ kind, end })
      jobSeconds.observe({ kind }, seconds)
    },
    countRemoved: (kind, count) => removed.inc({ kind }, count),
    countRead: (node) => reads.inc({ node }),
    addGauge(name, read) {
      const { help, label } = processGauges[name]
      new Gauge({
        name,
        help,
        labelNames: label ? [label] : [],
        registers,
        collect() {
          const value = read()
          if (typeof value === 'number') return this.set(value)
          this.reset()
          for (const [of, count] of Object.entries(value)) this.set({ [label]: of }, count)
        },
      })
    },
    addDatabaseGauges: databaseReadings.add,
    text: () => registry.metrics(),
  }
}
