import type { z } from 'zod'
import { deliveredPackage1 } from '../package-1/delivered-package.ts'
import { storedPackage2 } from './stored-package.ts'

// Version 2 of a package as a dealer's system gets it, whose schema is published at /schemas/package/2. It has all of
// version 1, whose schema accepts it. Released: never edited. A change is a new version with another address (docs/how-to.md).

export const deliveredPackage2 = deliveredPackage1.extend({
  /** The SHA-256 of its canonical JSON (RFC 8785) stands in the public log. */
  deal: storedPackage2,
})
export type DeliveredPackage2 = z.output<typeof deliveredPackage2>
