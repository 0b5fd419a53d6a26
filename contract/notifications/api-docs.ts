import type { ModuleDocs } from '../openapi/module-docs.ts'
import { notification } from './endpoints.ts'
import { place } from './place.ts'
import { readPreferences } from './preferences.ts'
import { readDevices } from './push.ts'

export const notificationsApiDocs: ModuleDocs = {
  tag: {
    name: 'Notifications',
    description: 'What happened while somebody was away, and how they are told.',
  },
  operations: {
    'GET /notifications': { summary: 'List your notifications', description: 'Newest first.' },
    'GET /notifications/unread': 'Count your unread notifications',
    'PATCH /notifications/:id/read': 'Mark a notification as read',
    'POST /notifications/read': {
      summary: 'Mark all notifications as read',
      description: 'Up to `upTo`, the newest one that was shown. Newer ones stay unread.',
    },
    'GET /events': {
      summary: 'Follow changes live',
      description:
        'A stream of server-sent events: `changed` with the parts whose data to read again, as `{ "rooms": [...] }`; `looks` when a viewer opens or leaves a deal; `position`, up to which all changes were sent. With `?after=` and a position or an event id, the stream starts there.',
    },
    'GET /notifications/switches': 'Read how you are notified',
    'PUT /notifications/switches': 'Choose how you are notified',
    'GET /notifications/push': 'List your devices for pushes',
    'PUT /notifications/push': 'Add this device for pushes',
    'PATCH /notifications/push': 'Renew this device for pushes',
    'DELETE /notifications/push/:id': 'Remove a device for pushes',
  },
  schemas: {
    Notification: { schema: notification, description: 'A sentence about something that happened.' },
    Place: { schema: place, description: 'What a notification leads to; `kind` tells which.' },
    NotificationPreferences: readPreferences.response,
    PushDevices: readDevices.response,
  },
}
