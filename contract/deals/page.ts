import type { AgreementStatus } from '../agreements/verification/endpoints.ts'
import type { PageAddress, Rendered } from '../shared/pages.ts'

/** Content of /verify before a file is chosen (R-deals-78). */
export type VerifyPage = {
  /** As typed or as scanned from the printed code. */
  number: string | null
  /** Null without a number; `unknown` when no agreement has it. */
  standing: AgreementStatus | 'unknown' | null
}

/** The server-rendered page of deals. */
export type DealPages = { verify(page: VerifyPage, address: PageAddress): Rendered }
