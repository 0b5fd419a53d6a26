import { z } from 'zod'
import { defineEndpoint } from '../../shared/endpoint.ts'
import { logProof } from '../evidence-log.ts'

/** In force, called off by the dealer, or replaced by a later agreement of the same deal. */
export const agreementStatuses = ['stands', 'cancelled', 'superseded'] as const

const agreementStatus = z.object({
  state: z.enum(agreementStatuses),
  /** SHA-256 of the package, in hexadecimal, as in its log row. */
  digest: z.string(),
  /** The first log head with both signatures and the package, with proofs; null until then. */
  proven: logProof.nullable(),
  // Responses that somebody saved earlier lack what follows.
  number: z.string().optional(),
  completedAt: z.string().nullable().optional(),
  calledOff: z.boolean().optional(),
  /**
   * SHA-256 of each form in which the package is sent since an account was deleted: without the
   * contact data of one person or of both. Empty while both have an account.
   */
  withoutContact: z.array(z.string()).optional(),
  /** The first cosignature of each witness on a head that includes the agreement. */
  cosigned: z.array(z.object({ witness: z.string(), at: z.iso.datetime() })).optional(),
})
export type AgreementStatus = z.output<typeof agreementStatus>

/** Must not reveal people or cars: the agreement's number alone gives access (R-deals-78). */
export const verifyAgreement = defineEndpoint('GET /verify/:agreement', {
  callers: ['anyone'],
  params: z.object({ agreement: z.string() }),
  response: agreementStatus,
  errors: ['NotFound'],
})
