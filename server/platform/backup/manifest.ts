import { z } from 'zod'

const table = z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number() })
export type TableDump = z.infer<typeof table>

/** Description of a backup, stored in it as `manifest.json`. */
export const manifest = z.object({
  format: z.literal(1),
  /** Database time of the snapshot. */
  takenAt: z.string(),
  publicUrl: z.string(),
  postgresql: z.string(),
  /** Names of the applied migrations. */
  migrations: z.array(z.string()),
  tables: z.array(table),
  /** Last value of the sequence; null if it was never used. */
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
  photos: z.object({ pictures: z.number(), files: z.number(), bytes: z.number() }),
  /** Sealed agreements; absent in backups of versions that stored them as rows. */
  documents: z.object({ files: z.number(), bytes: z.number() }).optional(),
  /** Files of photos and agreements that the database references but the store does not have. */
  missing: z.array(z.string()),
  keys: z.array(z.string()),
  /** Head of the evidence log, as JSON. */
  head: z.string().nullable(),
})
export type Manifest = z.infer<typeof manifest>
