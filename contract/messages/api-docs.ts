import type { ModuleDocs } from '../openapi/module-docs.ts'
import { dealMessage, report } from './endpoints.ts'

export const messagesApiDocs: ModuleDocs = {
  tag: { name: 'Messages', description: 'What the two parties of a deal write to each other.' },
  operations: {
    'GET /messages/:dealId': {
      summary: 'Read the messages of a deal',
      description: 'The newest ones, newest last. Pass `next` as `cursor` to get older ones.',
    },
    'POST /messages/:dealId': {
      summary: 'Write to the other party',
      description: 'Plain text of at most 2,000 characters, while the deal is active.',
    },
    'GET /messages/:dealId/file': {
      summary: 'Export the messages of a deal',
      description: 'All of them as a text file.',
    },
    'PUT /messages/:dealId/seen': {
      summary: 'Mark messages as seen',
      description: 'Those of the other party, up to and including `upTo`.',
    },
    'POST /messages/:dealId/:messageId/report': {
      summary: 'Report a message to the administrator',
      example: { reason: 'This is an insult.' },
    },
    'GET /admin/reports': 'List reported messages, newest first',
    'POST /admin/reports/:messageId/handled': 'Close the report of a message',
  },
  schemas: { Message: dealMessage, Report: report },
}
