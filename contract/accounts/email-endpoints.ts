import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import { id, isoTime, okResponse } from '../shared/fields.ts'

/** An unsent email, without its text, which may contain a real person's code. */
export const queuedEmail = z.object({
  _id: id,
  to: z.string(),
  /** Null for an email that is required for the account or by law. */
  kind: z.string().nullable(),
  /** `HELD`: over the recipient's hourly limit, so it is sent with the next email. */
  state: z.enum(['WAITING', 'HELD', 'FAILED']),
  tries: z.number(),
  /** The last error, as the mail server reported it. */
  because: z.string().nullable(),
  createdAt: isoTime,
  nextTryAt: isoTime.nullable(),
  canBeSentAgain: z.boolean(),
})
export type QueuedEmail = z.output<typeof queuedEmail>

export const listQueuedEmails = defineEndpoint('GET /admin/mails/queue', {
  callers: ['administrator'],
  adminAct: 'viewedEmailQueue',
  response: z.object({
    /** False without a mail server: then nothing is queued. */
    outgoing: z.boolean(),
    waiting: z.number(),
    failed: z.number(),
    /** Failed emails first; at most 200. */
    mails: z.array(queuedEmail),
  }),
})
export type EmailQueue = z.output<typeof listQueuedEmails.response>

export const resendEmail = defineEndpoint('POST /admin/mails/:mailId/send', {
  callers: ['operator'],
  adminAct: 'resentEmail',
  params: z.object({ mailId: id }),
  response: okResponse,
  errors: ['NotFound'],
})

/** Lists the attachments of an email in the mailbox that is used without a mail server. */
export const listEmailAttachments = defineEndpoint('GET /admin/mails/:mailId/files', {
  callers: ['operator'],
  adminAct: 'viewedEmailFile',
  params: z.object({ mailId: id }),
  response: z.array(z.object({ name: z.string(), type: z.string(), bytes: z.int() })),
  errors: ['NotFound'],
})
/** `file`: index in the list of attachments, from 0. */
export const readEmailAttachment = defineEndpoint('GET /admin/mails/:mailId/files/:file', {
  callers: ['operator'],
  adminAct: 'viewedEmailFile',
  params: z.object({ mailId: id, file: z.coerce.number().int().min(0).max(99) }),
  response: z.instanceof(Uint8Array),
  media: 'application/octet-stream',
  errors: ['NotFound'],
})

/** Returns how email reaches the caller. */
export const readEmailStatus = defineEndpoint('GET /user/mail', {
  callers: ['signedIn'],
  response: z.object({
    /** Addresses of the caller that have bounced (R-notifications-12). */
    returned: z.array(z.object({ address: z.string(), at: isoTime, isNew: z.boolean() })),
  }),
})
export type EmailStatus = z.output<typeof readEmailStatus.response>

/** Sends a link to an address that has bounced; opening the link verifies the address again. */
export const sendAddressCheck = defineEndpoint('POST /user/mail/prove', {
  callers: ['verified'],
  response: z.object({ message: z.string() }),
})
