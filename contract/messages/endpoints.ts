import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import { id, isoTime, okResponse, pageParams, paragraphs } from '../shared/fields.ts'
import { maxMessageLength, maxReasonLength } from './rules.ts'
import { messagesTexts } from './texts.ts'

const written = (max: number, tooLong: string, empty: string) =>
  paragraphs(max, tooLong).refine((text) => text !== '', empty)

/** Plain text without hidden characters (R-deals-83). */
export const messageText = written(maxMessageLength, messagesTexts.tooLong, messagesTexts.empty)

export const dealMessage = z.object({
  _id: id,
  at: isoTime,
  /** Written by the caller. */
  isMine: z.boolean(),
  name: z.string(),
  text: z.string(),
  /** Reported by the caller; nobody else sees this. */
  isReported: z.boolean(),
  /** The caller has not seen it yet. */
  isNew: z.boolean(),
})
export type Message = z.output<typeof dealMessage>

const ofDeal = z.object({ dealId: id })

/** Returns the newest messages, newest last; `next` leads to older ones. */
export const readMessages = defineEndpoint('GET /messages/:dealId', {
  callers: ['trader'],
  scope: 'messages:read',
  params: ofDeal,
  /** `cursor`: the oldest message of the previous page. */
  query: pageParams.extend({ cursor: id.optional() }),
  response: z.object({
    messages: z.array(dealMessage),
    next: id.nullable(),
    /** The deal is active, so messages can be sent. */
    isOpen: z.boolean(),
    /** The deal is paused, so no messages can be sent (R-deals-117). */
    isPaused: z.boolean().default(false),
  }),
  errors: ['NotFound'],
})

export const sendMessage = defineEndpoint('POST /messages/:dealId', {
  callers: ['trader'],
  scope: 'messages:write',
  params: ofDeal,
  body: z.object({ text: messageText }),
  response: dealMessage,
  status: 201,
  errors: ['NotFound', 'MessagesClosed', 'DealPaused'],
  isIdempotent: true,
})

/** Marks the other party's messages as seen, up to and including `upTo`. */
export const markMessagesSeen = defineEndpoint('PUT /messages/:dealId/seen', {
  callers: ['trader'],
  params: ofDeal,
  body: z.object({ upTo: id }),
  response: okResponse,
  errors: ['NotFound'],
})

export const exportMessages = defineEndpoint('GET /messages/:dealId/file', {
  callers: ['trader'],
  scope: 'messages:read',
  params: ofDeal,
  response: z.custom<AsyncIterable<string>>(),
  media: 'text/plain; charset=utf-8',
  errors: ['NotFound'],
})

export const reportMessage = defineEndpoint('POST /messages/:dealId/:messageId/report', {
  callers: ['trader'],
  params: ofDeal.extend({ messageId: id }),
  body: z.object({
    reason: written(maxReasonLength, messagesTexts.report.tooLong, messagesTexts.report.reasonMissing),
  }),
  response: okResponse,
  errors: ['NotFound'],
  isIdempotent: true,
})

export const report = z.object({
  _id: id,
  at: isoTime,
  car: z.string(),
  sender: z.string(),
  senderId: id,
  /** Empty when the account is deleted. */
  senderEmail: z.string(),
  reporter: z.string(),
  /** Empty once both have deleted their accounts. */
  text: z.string(),
  reason: z.string(),
  sentAt: isoTime,
  handledAt: isoTime.nullable(),
})
export type Report = z.output<typeof report>

/** Newest first; `_id` is the message's id. */
export const listReports = defineEndpoint('GET /admin/reports', {
  callers: ['administrator'],
  adminAct: 'viewedReports',
  query: pageParams,
  response: z.array(report),
})

export const handleReport = defineEndpoint('POST /admin/reports/:messageId/handled', {
  callers: ['operator'],
  adminAct: 'handledReport',
  params: z.object({ messageId: id }),
  response: okResponse,
  errors: ['NotFound'],
})
