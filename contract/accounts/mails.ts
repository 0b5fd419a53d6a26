import { z } from 'zod'
import { call } from '../shared/endpoint.ts'
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

export const mailQueue = call('GET /admin/mails/queue', {
  who: ['administrator'],
  answer: z.object({
    /** Mails leave by a mail server; without one there is nothing to wait for. */
    outgoing: z.boolean(),
    waiting: z.number(),
    failed: z.number(),
    /** What was given up stands first; 200 at most. */
    mails: z.array(queuedMail),
  }),
})
export type MailQueue = z.output<typeof mailQueue.answer>

export const sendMailAgain = call('POST /admin/mails/:mailId/send', {
  who: ['administrator'],
  params: z.object({ mailId: id }),
  answer: ok,
  refuses: ['NotFound'],
})

/** The mailbox without a mail server shows what a mail takes along. */
export const listMailFiles = call('GET /admin/mails/:mailId/files', {
  who: ['administrator'],
  params: z.object({ mailId: id }),
  answer: z.array(z.object({ name: z.string(), type: z.string(), bytes: z.int() })),
  refuses: ['NotFound'],
})
/** `file`: its place in that list, from 0. */
export const mailFile = call('GET /admin/mails/:mailId/files/:file', {
  who: ['administrator'],
  params: z.object({ mailId: id, file: z.coerce.number().int().min(0).max(99) }),
  answer: z.instanceof(Uint8Array),
  media: 'application/octet-stream',
  refuses: ['NotFound'],
})

/** How mail reaches the one who asks. */
export const ownMail = call('GET /user/mail', {
  who: ['signedIn'],
  answer: z.object({
    /** Addresses of theirs that have sent a mail back (R-notifications-12). */
    returned: z.array(z.object({ address: z.string(), at: isoTime, isNew: z.boolean() })),
  }),
})
export type OwnMail = z.output<typeof ownMail.answer>

/** Sends a link to an address that has sent a mail back; opening it proves the address again. */
export const proveAddress = call('POST /user/mail/prove', {
  who: ['verified'],
  answer: z.object({ message: z.string() }),
})
