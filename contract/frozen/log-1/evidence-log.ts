import { z } from 'zod'

// What the public log is made of, and what proves that something is in it. Released: never edited. A change is a new version
// (docs/how-to.md).

export const logKinds1 = ['signature', 'package'] as const

/** What a leaf is the hash of: `digest` in hexadecimal, of the whole row. */
export const leafText1 = (kind: (typeof logKinds1)[number], digest: string): string =>
  `keyturn ${kind} ${digest}`

/** A head as it is signed, in the form that other logs use too (c2sp.org/tlog-checkpoint); `root` in base64. */
export const headText1 = ({ origin, size, root }: { origin: string; size: number; root: string }): string =>
  `${origin}\n${size}\n${root}\n`

/** `note`: the head's text with its signature (c2sp.org/signed-note). */
export const logHead1 = z.object({ size: z.int(), root: z.string(), note: z.string() })

/**
 * What a signed PDF brings along: the head of the log that stands on it, the key that signed the head, and for each of its
 * rows the proof that it was in the log then.
 */
export const proven1 = z.object({
  head: logHead1,
  key: z.string(),
  rows: z.array(
    z.object({
      kind: z.enum(logKinds1),
      place: z.int(),
      /** In hexadecimal, as `leafText1` takes it. */
      digest: z.string(),
      proof: z.array(z.string()),
    }),
  ),
})
