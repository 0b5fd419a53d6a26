import type { AgreementStatus } from '../agreements/verification/endpoints.ts'
import type { PageAddress, Rendered } from '../shared/pages.ts'

/** What /verify shows before any file was chosen (R-deals-78). */
export type VerifyPage = {
  /** As somebody typed it, or as the code on the paper has it. */
  number: string | null
  /** Null where nobody asked for a number, `unknown` where there is no agreement of it. */
  standing: AgreementStatus | 'unknown' | null
}

/** The rendered page of this room. */
export type DealPages = { verify(page: VerifyPage, address: PageAddress): Rendered }
