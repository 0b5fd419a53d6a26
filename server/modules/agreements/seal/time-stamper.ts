import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import { requestTimeStamp } from '../../../integrations/time-stamps/request-time-stamp.ts'
import { describeError } from '../../../shared/describe-error.ts'
import { stampPdf } from './seal-pdf.ts'

/** In ms: after a failure, callers are rejected for this long before anything is drawn for them. */
const restMs = 15_000

/**
 * Stamps sealed PDFs, or throws the error of a busy printer: jobs retry, and people are told to try
 * again (R-deals-105).
 */
export function createTimeStamper(authority: URL, onFault: (fault: Error) => void) {
  let restsUntil = 0
  const retryLater = () => dealErrors.AgreementBeingDrawn({ retryAfterSeconds: 60 })
  return {
    requireReady(): void {
      if (performance.now() < restsUntil) throw retryLater()
    },
    async stamp(sealed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
      try {
        return new Uint8Array(await stampPdf(sealed, (signature) => requestTimeStamp(authority, signature)))
      } catch (fault) {
        restsUntil = performance.now() + restMs
        onFault(new Error(`The time stamp is missing: ${describeError(fault)}`, { cause: fault }))
        throw retryLater()
      }
    },
  }
}
