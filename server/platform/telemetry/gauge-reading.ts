import type { databaseGauges } from './gauges.ts'

export type Reading = { gauge: keyof typeof databaseGauges; of?: string; value: number }
