import type { Message, Report } from '@keyturn/contract/messages/endpoints.ts'
import type { Page } from '@playwright/test'

const id = (digit: string) => digit.repeat(24)
const grace = { name: 'Grace Kim', isMine: false, isReported: false, isNew: false }
const maya = { name: 'Maya Whitfield', isMine: true, isReported: false, isNew: false }

const messages: Message[] = [
  {
    ...grace,
    _id: id('1'),
    at: '2026-11-20T15:04:00.000Z',
    text: 'Pay me here: http://bank.example.com@evil.example/pay',
    isReported: true,
  },
  {
    ...maya,
    _id: id('2'),
    at: '2026-11-20T15:30:00.000Z',
    text: 'No. Only what is in the agreement counts.',
  },
  {
    ...grace,
    _id: id('3'),
    at: '2026-11-20T16:02:00.000Z',
    text: 'Fair enough 🙂\n\nCould I see it on Saturday? I would come with my brother, who knows about cars, and we have all morning.',
  },
  { ...maya, _id: id('4'), at: '2026-11-20T16:10:00.000Z', text: 'Yes, at ten.' },
  { ...grace, _id: id('5'), at: '2026-11-20T16:12:00.000Z', text: 'See you then!', isNew: true },
]

/** Responds with a conversation, and ignores which messages the page has shown. */
export const respondWithMessages = async (page: Page) => {
  await page.route('**/messages/*', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ json: { messages, next: null, isOpen: true } })
      : route.fallback(),
  )
  await page.route('**/messages/*/seen', (route) => route.fulfill({ json: { ok: true } }))
}

export const someReports: Report[] = [
  {
    _id: id('6'),
    at: '2026-11-20T17:00:00.000Z',
    car: '2021 Ford F-150 XLT',
    sender: 'Grace Kim',
    senderId: 'a'.repeat(24),
    senderEmail: 'grace.kim@example.com',
    reporter: 'Maya Whitfield',
    text: 'Pay me here: http://bank.example.com@evil.example/pay',
    reason: 'She wants the money before she has seen the car.',
    sentAt: '2026-11-20T15:04:00.000Z',
    handledAt: null,
  },
  {
    _id: id('7'),
    at: '2026-11-18T17:00:00.000Z',
    car: '2018 Honda Civic EX',
    sender: 'Marcus Reed',
    senderId: 'b'.repeat(24),
    senderEmail: 'marcus.reed@example.com',
    reporter: 'Elena Petrova',
    text: 'Last chance!!!',
    reason: 'He writes this every hour.',
    sentAt: '2026-11-18T15:04:00.000Z',
    handledAt: '2026-11-19T09:00:00.000Z',
  },
]
