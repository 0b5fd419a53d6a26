import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Received = { id: string; headers: IncomingHttpHeaders; body: string }
export type WebhookReceiver = {
  url: string
  port: number
  /** Every complete request, with or without a response. */
  received: Received[]
}
type Respond = (response: ServerResponse, one: Received, count: number) => void

/** Starts a dealer's webhook, which accepts every request by default. */
export async function startWebhookReceiver(
  respond: Respond = (response) => response.writeHead(204).end(),
  { port: fixedPort = 0, host = '127.0.0.1', stays = false } = {},
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
      respond(response, one, received.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(fixedPort, host, resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  if (!stays) onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { received, port, url: `http://${host}:${port}/deals`, close }
}
