import { z } from 'zod'
import { storedPackage1 } from './stored-package.ts'

// Version 1 of a package as a dealer's system gets it, whose schema is published at /schemas/package/1. Released: never
// edited. A change is a new version with another address (docs/how-to.md).

const digest = z.string().regex(/^[0-9a-f]{64}$/)

export const deliveredPackage1 = z.object({
  schema: z.string().meta({ description: 'The address of this schema' }),
  pkgId: z.string().regex(/^[0-9a-f]{24}$/),
  dealer: z.object({ name: z.string() }),
  /** The SHA-256 of its canonical JSON (RFC 8785) stands in the public log. */
  deal: storedPackage1,
  agreement: z
    .object({ url: z.string(), sha256: digest, bytes: z.int(), type: z.literal('application/pdf') })
    .meta({
      description: 'The signed agreement. Its address answers to a call that is signed like a webhook',
    }),
  photos: z.array(z.object({ id: digest, url: z.string(), sha256: digest })),
  signatures: z
    .object({ seller: digest, buyer: digest })
    .meta({ description: 'Digests of both rows of evidence, as they stand in the public log' }),
  log: z.object({ digest, inclusion: z.string(), head: z.string() }).meta({
    description: 'SHA-256 of the canonical JSON of `deal`, where its proof is, and the head of the log',
  }),
})
export type DeliveredPackage1 = z.output<typeof deliveredPackage1>
