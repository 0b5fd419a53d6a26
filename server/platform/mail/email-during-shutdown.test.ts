// @module-tag full

import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { startServerOn } from '../../../tests/cluster/start-server-on.ts'
import { startSmtpReceiver } from '../../../tests/support/smtp-receiver.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { enqueueEmail } from './emails.ts'
import { sentence } from './sentence.ts'

// A real server process that exits during a delivery.

const testServer = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1' })
const letter = { subject: sentence`A test`, lines: [sentence`One`] }
const write = (to: string) =>
  enqueueEmail(testServer.deps, testServer.deps.db, { id: null, email: to }, letter)
const isSent = async (to: string) =>
  (await testServer.query('select 1 from mails where recipient = $1 and sent_at is not null', [to])).length >
  0

test('sends an email once when SIGTERM arrives during a slow delivery', async () => {
  const receiver = await startSmtpReceiver({ beforeAccepting: () => wait(4000) })
  await write('once@example.com')
  const server = await startServerOn(testServer, { SMTP_URL: receiver.url })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 60_000)
  server.send('SIGTERM')
  expect(await server.ended, server.err()).toBe(0)
  expect(await isSent('once@example.com')).toBe(true)

  // Anything left over would be due now, before an email queued later.
  await testServer.moveClock('121 seconds')
  await write('after@example.com')
  const next = await startServerOn(testServer, { SMTP_URL: receiver.url })
  await vi.waitFor(async () => expect(await isSent('after@example.com')).toBe(true), 60_000)
  expect(receiver.received.map(({ to }) => to)).toEqual(['once@example.com', 'after@example.com'])
  next.send('SIGTERM')
  await next.ended
  await testServer.moveClock('0')
})
