import { z } from 'zod'

const table = z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number() })
export type TableDump = z.infer<typeof table>

/** What a backup says of itself. */
export const manifest = z.object({
  format: z.literal(1),
  /** The database's time at which everything in it was so. */
  takenAt: z.string(),
  publicUrl: z.string(),
  postgresql: z.string(),
  /** The steps that the database had taken. */
  migrations: z.array(z.string()),
  tables: z.array(table),
  /** The last number that was given; null: none yet. */
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
  photos: z.object({ pictures: z.number(), files: z.number(), bytes: z.number() }),
  /** Files of photos that the database names and the store did not have. */
  missing: z.array(z.string()),
  keys: z.array(z.string()),
  /** Of the log of evidence, as JSON. */
  head: z.string().nullable(),
})
export type Manifest = z.infer<typeof manifest>
