import { z } from 'zod'
import { call } from '../shared/endpoint.ts'
import { id, isoTime, ok, page, paragraphs } from '../shared/fields.ts'
import { mostOfMessage, mostOfReason } from './rules.ts'
import { messagesTexts } from './texts.ts'

const written = (max: number, tooLong: string, empty: string) =>
  paragraphs(max, tooLong).refine((text) => text !== '', empty)

/** As plain text, visible to the last character (R-deals-83). */
export const messageText = written(mostOfMessage, messagesTexts.tooLong, messagesTexts.empty)

export const message = z.object({
  _id: id,
  at: isoTime,
  /** Written by the one who reads it. */
  isMine: z.boolean(),
  name: z.string(),
  text: z.string(),
  /** By the one who reads it: nobody else learns of it. */
  isReported: z.boolean(),
  /** The reader has not been shown it yet. */
  isNew: z.boolean(),
})
export type Message = z.output<typeof message>

const ofDeal = z.object({ dealId: id })

/** The newest of them, the newest last; `next` leads to older ones. */
export const readMessages = call('GET /messages/:dealId', {
  who: ['trader'],
  params: ofDeal,
  /** `cursor`: the oldest message of the page before. */
  query: page.extend({ cursor: id.optional() }),
  answer: z.object({
    messages: z.array(message),
    next: id.nullable(),
    /** The deal goes on, and more can be written. */
    isOpen: z.boolean(),
  }),
  refuses: ['NotFound'],
})

export const sendMessage = call('POST /messages/:dealId', {
  who: ['trader'],
  params: ofDeal,
  body: z.object({ text: messageText }),
  answer: message,
  status: 201,
  refuses: ['NotFound', 'MessagesClosed'],
  once: true,
})

/** The caller was shown what the other one wrote, up to this message. */
export const seeMessages = call('PUT /messages/:dealId/seen', {
  who: ['trader'],
  params: ofDeal,
  body: z.object({ upTo: id }),
  answer: ok,
  refuses: ['NotFound'],
})

/** All of it, to keep. */
export const messagesFile = call('GET /messages/:dealId/file', {
  who: ['trader'],
  params: ofDeal,
  answer: z.custom<AsyncIterable<string>>(),
  media: 'text/plain; charset=utf-8',
  refuses: ['NotFound'],
})

export const reportMessage = call('POST /messages/:dealId/:messageId/report', {
  who: ['trader'],
  params: ofDeal.extend({ messageId: id }),
  body: z.object({
    reason: written(mostOfReason, messagesTexts.report.tooLong, messagesTexts.report.reasonMissing),
  }),
  answer: ok,
  refuses: ['NotFound'],
  once: true,
})

export const report = z.object({
  _id: id,
  at: isoTime,
  car: z.string(),
  sender: z.string(),
  /** Empty where the account is deleted. */
  senderEmail: z.string(),
  reporter: z.string(),
  /** Empty once both have deleted their accounts. */
  text: z.string(),
  reason: z.string(),
  sentAt: isoTime,
  handledAt: isoTime.nullable(),
})
export type Report = z.output<typeof report>

/** The newest first; `_id` is the message's. */
export const listReports = call('GET /admin/reports', {
  who: ['administrator'],
  query: page,
  answer: z.array(report),
})

export const handleReport = call('POST /admin/reports/:messageId/handled', {
  who: ['administrator'],
  params: z.object({ messageId: id }),
  answer: ok,
  refuses: ['NotFound'],
})
