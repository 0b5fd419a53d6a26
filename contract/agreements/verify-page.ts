import type { PageAddress, RenderedPage } from '../shared/pages.ts'
import type { AgreementStatus } from './verification/endpoints.ts'

/** Content of /verify before a file is chosen (R-deals-78). */
export type VerifyPage = {
  /** As typed or as scanned from the printed code. */
  number: string | null
  /** Null without a number; `unknown` when no agreement has that number. */
  status: AgreementStatus | 'unknown' | null
}

export type AgreementPages = { verify(page: VerifyPage, address: PageAddress): RenderedPage }
