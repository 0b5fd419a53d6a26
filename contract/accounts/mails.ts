import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import { id, isoTime, ok } from '../shared/fields.ts'

/** A mail that has not left, without a word of it: what waits holds codes of real people. */
export const queuedMail = z.object({
  _id: id,
  to: z.string(),
  /** Null: needed for the account or by law. */
  kind: z.string().nullable(),
  /** `HELD`: its reader had enough for an hour, and it leaves with the next one. */
  state: z.enum(['WAITING', 'HELD', 'FAILED']),
  tries: z.number(),
  /** What stopped it last, as the mail server put it. */
  because: z.string().nullable(),
  createdAt: isoTime,
  nextTryAt: isoTime.nullable(),
  canBeSentAgain: z.boolean(),
})
export type QueuedMail = z.output<typeof queuedMail>

export const mailQueue = defineEndpoint('GET /admin/mails/queue', {
  callers: ['administrator'],
  response: z.object({
    /** Mails leave by a mail server; without one there is nothing to wait for. */
    outgoing: z.boolean(),
    waiting: z.number(),
    failed: z.number(),
    /** What was given up stands first; 200 at most. */
    mails: z.array(queuedMail),
  }),
})
export type MailQueue = z.output<typeof mailQueue.response>

export const sendMailAgain = defineEndpoint('POST /admin/mails/:mailId/send', {
  callers: ['administrator'],
  params: z.object({ mailId: id }),
  response: ok,
  errors: ['NotFound'],
})

/** The mailbox without a mail server shows what a mail takes along. */
export const listMailFiles = defineEndpoint('GET /admin/mails/:mailId/files', {
  callers: ['administrator'],
  params: z.object({ mailId: id }),
  response: z.array(z.object({ name: z.string(), type: z.string(), bytes: z.int() })),
  errors: ['NotFound'],
})
/** `file`: its place in that list, from 0. */
export const mailFile = defineEndpoint('GET /admin/mails/:mailId/files/:file', {
  callers: ['administrator'],
  params: z.object({ mailId: id, file: z.coerce.number().int().min(0).max(99) }),
  response: z.instanceof(Uint8Array),
  media: 'application/octet-stream',
  errors: ['NotFound'],
})

/** How mail reaches the one who asks. */
export const ownMail = defineEndpoint('GET /user/mail', {
  callers: ['signedIn'],
  response: z.object({
    /** Addresses of theirs that have sent a mail back (R-notifications-12). */
    returned: z.array(z.object({ address: z.string(), at: isoTime, isNew: z.boolean() })),
  }),
})
export type OwnMail = z.output<typeof ownMail.response>

/** Sends a link to an address that has sent a mail back; opening it proves the address again. */
export const proveAddress = defineEndpoint('POST /user/mail/prove', {
  callers: ['verified'],
  response: z.object({ message: z.string() }),
})
