import { z } from 'zod'
import { defineEndpoint } from '../../shared/endpoint.ts'
import { proven } from '../evidence-log.ts'

/** How an agreement stands: as it was signed, called off by the dealer, or followed by another one of the same deal. */
export const agreementStatuses = ['stands', 'cancelled', 'superseded'] as const

const standing = z.object({
  state: z.enum(agreementStatuses),
  /** SHA-256 of the package, in hexadecimal: the digest that its row in the log has. */
  digest: z.string(),
  /** The first head of the log that has both signatures and the package, and what proves it; null until they are in it. */
  proven: proven.nullable(),
})
export type AgreementStatus = z.output<typeof standing>

/** Of nobody and of no car does it tell anything: whoever has the number has the agreement (R-deals-78). */
export const verifyAgreement = defineEndpoint('GET /verify/:agreement', {
  callers: ['anyone'],
  params: z.object({ agreement: z.string() }),
  response: standing,
  errors: ['NotFound'],
  summary: 'Whether there is an agreement of this number, how it stands, and what proves that it was logged',
})
