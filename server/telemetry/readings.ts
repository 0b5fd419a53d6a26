import type { databaseGauges } from './gauges.ts'

/** What the database said: of one state or kind, where the gauge has several. */
export type Reading = { gauge: keyof typeof databaseGauges; of?: string; value: number }
