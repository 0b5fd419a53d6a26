import { z } from 'zod'
import type { Terms } from '../deals/terms.ts'
import { sheet20261101 } from '../frozen/agreement-2026-11-1/sheet.ts'
import { sheet20261102 } from '../frozen/agreement-2026-11-2/sheet.ts'
import { sheet20261103 } from '../frozen/agreement-2026-11-3/sheet.ts'
import { ownSheet1 } from '../frozen/own-agreement-1/sheet.ts'
import { ownSheet2 } from '../frozen/own-agreement-2/sheet.ts'
import { type Agreement, buildAgreement } from './agreement.ts'

// The signed sheet as JSON, in the frozen format of its text version (R-deals-89).

const signedSheet = z.union([sheet20261101, sheet20261102, sheet20261103, ownSheet1, ownSheet2])

export const decodeSheet = (stored: string): { terms: Terms; agreement: Agreement } =>
  signedSheet.parse(JSON.parse(stored))

/** Encodes every fact and sentence that both sign. A signature stores it and covers its digest. */
export const encodeSheet = (terms: Terms): string =>
  JSON.stringify(signedSheet.parse({ terms, agreement: buildAgreement(terms) }))
