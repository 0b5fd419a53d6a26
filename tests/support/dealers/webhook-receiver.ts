import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Received = { id: string; headers: IncomingHttpHeaders; body: string }
export type WebhookReceiver = {
  url: string
  port: number
  /** Every request received in full, whether or not it was answered. */
  received: Received[]
}
type Manners = (response: ServerResponse, one: Received, count: number) => void

/** Starts a dealer's webhook for one test. By default it accepts every request. */
export async function aWebhookReceiver(
  answer: Manners = (response) => response.writeHead(204).end(),
  { port: wanted = 0, host = '127.0.0.1', stays = false } = {},
): Promise<WebhookReceiver & { close(): Promise<void> }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const one = { id: String(request.headers['webhook-id']), headers: request.headers, body }
      received.push(one)
      answer(response, one, received.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(wanted, host, resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  if (!stays) onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { received, port, url: `http://${host}:${port}/deals`, close }
}
