import { z } from 'zod'
import { defineEndpoint } from '../../shared/endpoint.ts'
import { currentPassword, id, isoTime } from '../../shared/fields.ts'
import { adminActs } from '../admin-acts.ts'
import { contactLookKinds, dataFormats } from './rules.ts'

export const session = z.object({
  _id: id,
  /** Browser and system, as in `Firefox on Windows`. */
  name: z.string(),
  /** The network address; of an IPv6 address the first half, which is one household's. */
  network: z.string(),
  /** Null for a session that began with a link from an email. */
  signedInAt: isoTime.nullable(),
  /** To about ten minutes: the last renewal of access. */
  lastUsedAt: isoTime,
  isCurrent: z.boolean(),
  /** The session can still be used. */
  isActive: z.boolean(),
})
export type Session = z.output<typeof session>

const sessions = z.object({ sessions: z.array(session) })

/** Active sessions first, then past sign-ins; the last used first (R-accounts-48). At most 50. */
export const listSessions = defineEndpoint('GET /user/sessions', {
  callers: ['signedIn'],
  response: sessions,
})

export const endSession = defineEndpoint('DELETE /user/sessions/:sessionId', {
  callers: ['signedIn'],
  params: z.object({ sessionId: id }),
  response: sessions,
  errors: ['NotFound'],
})

export const endOtherSessions = defineEndpoint('DELETE /user/sessions', {
  callers: ['signedIn'],
  response: sessions,
})

export const retentionRow = z.object({
  what: z.string(),
  howLong: z.string(),
  why: z.string(),
  basis: z.string(),
})
export type RetentionRow = z.output<typeof retentionRow>

export const contactLook = z.object({
  kind: z.enum(contactLookKinds),
  who: z.string(),
  /** Empty if no car was involved. */
  car: z.string(),
  at: isoTime,
  /** What an administrator viewed or did. */
  act: z.enum(adminActs).optional(),
})
export type ContactLook = z.output<typeof contactLook>

/** What is stored about people and how long, and who could see the caller's data. */
export const readPrivacy = defineEndpoint('GET /user/data', {
  callers: ['signedIn'],
  response: z.object({ retention: z.array(retentionRow), looks: z.array(contactLook) }),
})

/** Streams everything about the caller as a file (R-accounts-50). */
export const exportData = defineEndpoint('POST /user/data', {
  callers: ['signedIn'],
  body: z.object({ format: z.enum(dataFormats), currentPassword }),
  response: z.custom<AsyncIterable<string>>(),
  // No browser opens it as a page of this site.
  media: 'application/octet-stream',
  errors: ['ReauthenticationRequired', 'HashQueueFull'],
})
