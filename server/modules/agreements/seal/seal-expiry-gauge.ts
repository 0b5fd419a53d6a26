import { X509Certificate } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../platform/database/open-database.ts'
import type { GaugeReading } from '../../../platform/telemetry/gauge-reading.ts'

/** Reads the expiry of the last seal's certificate in epoch seconds, once there is one. */
export async function readSealExpiryGauge(db: Db): Promise<GaugeReading[]> {
  const { rows } = await db.execute<{ certificate: Buffer }>(
    sql`select certificate from seal_certificates order by first_used_at desc limit 1`,
  )
  return rows.map(({ certificate }) => ({
    gauge: 'keyturn_seal_certificate_ends',
    value: Date.parse(new X509Certificate(certificate).validTo) / 1000,
  }))
}
