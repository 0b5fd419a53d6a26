import { z } from 'zod'
import { logHead1, logKinds1, proven1 } from '../frozen/log-1/evidence-log.ts'
import { defineEndpoint } from '../shared/endpoint.ts'

// The published log of evidence (R-deals-63): anyone who stores one of its heads can detect a changed
// or removed row. It contains no personal data. docs/log.md describes it for other programs.

/** Format of new leaves and heads; older versions are read in their own format. */
export { headText1 as headText, leafText1 as leafText } from '../frozen/log-1/evidence-log.ts'
export type LogKind = (typeof logKinds1)[number]

const base64Hash = z.string()
/** The size of the log as a path parameter. */
const logSize = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)

export const logProof = proven1
export type LogProof = z.output<typeof logProof>

export const readEvidenceLog = defineEndpoint('GET /.well-known/keyturn-log', {
  callers: ['anyone'],
  response: z.object({
    /** Null while nothing has been signed. */
    head: logHead1.nullable(),
    /**
     * Every key that ever signed a head, newest first, as verifiers (c2sp.org/signed-note): for
     * signatures and for cosignatures, which have a time.
     */
    keys: z.array(z.string()),
    /** The witnesses that are asked to cosign. Files saved earlier have no list. */
    witnesses: z.array(z.string()).optional(),
  }),
})

export const proveLogInclusion = defineEndpoint('GET /log/inclusion/:digest', {
  callers: ['anyone'],
  params: z.object({ digest: z.string().regex(/^[0-9a-f]{64}$/) }),
  response: z.object({ kind: z.enum(logKinds1), place: z.int(), proof: z.array(base64Hash), head: logHead1 }),
  errors: ['NotFound'],
})

export const proveLogConsistency = defineEndpoint('GET /log/consistency/:size', {
  callers: ['anyone'],
  params: z.object({ size: logSize }),
  response: z.object({ proof: z.array(base64Hash), head: logHead1 }),
  errors: ['NotFound'],
})

export const readLogCheckpoint = defineEndpoint('GET /log/checkpoint', {
  callers: ['anyone'],
  response: z.string(),
  media: 'text/plain; charset=utf-8',
})

export const readLogTile = defineEndpoint('GET /log/tile/:level/*', {
  callers: ['anyone'],
  params: z.object({ level: z.string(), '*': z.string() }),
  response: z.instanceof(Uint8Array),
  media: 'application/octet-stream',
  errors: ['NotFound'],
})
