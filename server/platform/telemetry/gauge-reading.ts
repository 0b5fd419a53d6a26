import type { databaseGauges } from './gauges.ts'

export type GaugeReading = { gauge: keyof typeof databaseGauges; of?: string; value: number }
