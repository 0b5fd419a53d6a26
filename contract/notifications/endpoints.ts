import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import { id, isoTime, pageParams } from '../shared/fields.ts'
import { place } from './place.ts'
import { notificationTypes, serverEventModules } from './rules.ts'

export const notification = z.object({
  _id: id,
  type: z.enum(notificationTypes),
  message: z.string(),
  isRead: z.boolean(),
  createdAt: isoTime,
  recipientId: id,
  /** Target; null when there is none or when the notification concerns other people's business. */
  place: place.nullable(),
  /** Counts as unread: relevant to the caller, not read and not resolved. */
  counts: z.boolean(),
})
export type Notification = z.output<typeof notification>

/** Data of a `changed` event on GET /events: refetch the cached data of these modules. */
export const changedModules = z.object({ rooms: z.array(z.enum(serverEventModules)) })

/** `own`: only those addressed to the caller, for wholesalers, who read about the market too. */
export const listNotifications = defineEndpoint('GET /notifications', {
  callers: ['verified'],
  query: pageParams.extend({ own: z.enum(['true', 'false']).optional() }),
  response: z.array(notification),
})

export const readUnreadCount = defineEndpoint('GET /notifications/unread', {
  callers: ['verified'],
  response: z.object({ count: z.number() }),
})

export const markRead = defineEndpoint('PATCH /notifications/:id/read', {
  callers: ['verified'],
  params: z.object({ id }),
  response: notification,
  errors: ['NotFound'],
})

/**
 * Marks notifications as read up to `upTo`, the newest one that the reader has seen. Newer ones
 * stay unread.
 */
export const markAllRead = defineEndpoint('POST /notifications/read', {
  callers: ['verified'],
  body: z.object({ upTo: id }),
  response: z.object({ count: z.number() }),
  errors: ['NotFound'],
})

/**
 * Stays open and sends `changed` events; there is no body to encode, so the server registers this
 * route separately.
 */
export const streamServerEvents = defineEndpoint('GET /events', {
  callers: ['verified'],
  response: z.string(),
  media: 'text/event-stream',
})
