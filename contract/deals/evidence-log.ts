import { z } from 'zod'
import { call } from '../kit/call.ts'

// The public log of evidence (R-deals-63): whoever keeps one of its heads notices a row that was changed or taken away.
// Nothing in it tells of anybody.

export const logKinds = ['signature', 'package'] as const
export type LogKind = (typeof logKinds)[number]

/** What a leaf is the hash of: `digest` in hexadecimal, of the whole row. */
export const leafText = (kind: LogKind, digest: string): string => `keyturn ${kind} ${digest}`

/** A head as it is signed, in the form that other logs use too (c2sp.org/tlog-checkpoint); `root` in base64. */
export const headText = ({ origin, size, root }: { origin: string; size: number; root: string }): string =>
  `${origin}\n${size}\n${root}\n`

const base64Hash = z.string()
/** As it stands in an address. */
const logSize = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)

/** `note`: the head's text with its signature (c2sp.org/signed-note). */
const head = z.object({ size: z.int(), root: base64Hash, note: z.string() })

/**
 * What a signed PDF brings along (`attachments` in `sealed-pdf.ts`): the head of the log that stands on it, the key that signed
 * the head, and for each of its rows the proof that it was in the log then.
 */
export const proven = z.object({
  head,
  key: z.string(),
  rows: z.array(
    z.object({
      kind: z.enum(logKinds),
      place: z.int(),
      /** In hexadecimal, as `leafText` takes it. */
      digest: z.string(),
      proof: z.array(base64Hash),
    }),
  ),
})
export type Proven = z.output<typeof proven>

export const evidenceLog = call('GET /.well-known/keyturn-log', {
  who: ['anyone'],
  answer: z.object({
    /** Null while nothing has been signed. */
    head: head.nullable(),
    /** All that ever signed a head, the newest first, as verifiers are written (c2sp.org/signed-note). */
    keys: z.array(z.string()),
  }),
  summary: 'The present head of the log of evidence, and the keys that heads are signed with',
})

export const logInclusion = call('GET /log/inclusion/:digest', {
  who: ['anyone'],
  params: z.object({ digest: z.string().regex(/^[0-9a-f]{64}$/) }),
  answer: z.object({ kind: z.enum(logKinds), place: z.int(), proof: z.array(base64Hash), head }),
  refuses: ['NotFound'],
  summary: 'Proves that a row with this digest is in the log',
})

export const logConsistency = call('GET /log/consistency/:size', {
  who: ['anyone'],
  params: z.object({ size: logSize }),
  answer: z.object({ proof: z.array(base64Hash), head }),
  refuses: ['NotFound'],
  summary: 'Proves that the log as it was with so many rows is the beginning of the present one',
})
