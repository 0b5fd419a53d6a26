import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import { requestTimeStamp } from '../../../integrations/time-stamps/request-time-stamp.ts'
import { describeError } from '../../../shared/describe-error.ts'
import { stampPdf } from './seal-pdf.ts'

/** After a failure of the authority, callers are rejected for this long before anything is drawn. */
const pauseAfterFailureMs = 15_000

/**
 * Stamps sealed PDFs. While the authority fails, it throws the error of a busy printer: jobs retry,
 * and people are told to try again (R-deals-105). A paper that cannot be stamped concerns no other.
 */
export function createTimeStamper(authority: URL, onFault: (fault: Error) => void) {
  let pausedUntil = 0
  const retryLater = () => dealErrors.AgreementBeingDrawn({ retryAfterSeconds: 60 })
  const requestStamp = (signature: Uint8Array) =>
    requestTimeStamp(authority, signature).catch((fault: unknown) => {
      pausedUntil = performance.now() + pauseAfterFailureMs
      onFault(new Error(`The time stamp is missing: ${describeError(fault)}`, { cause: fault }))
      throw retryLater()
    })
  return {
    requireReady(): void {
      if (performance.now() < pausedUntil) throw retryLater()
    },
    async stamp(sealed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
      return new Uint8Array(await stampPdf(sealed, requestStamp))
    },
  }
}
