import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Browser } from './browser.ts'

/** Begins a photo upload on a separate connection. The caller writes the bytes. */
export function beginUpload(
  origin: string,
  { cookies }: Browser,
  carId: string,
  headers: Record<string, string | number> = {},
) {
  const sending = request(`${origin}/cars/photos/${carId}`, {
    method: 'POST',
    agent: false,
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'content-type': 'image/jpeg',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
  })
  // The server may close the connection after its response.
  sending.on('error', () => {})
  const answer = (async () => {
    const [response] = (await once(sending, 'response')) as [IncomingMessage]
    const body = await text(response)
    return { status: response.statusCode ?? 0, code: JSON.parse(body).errorCode as string | undefined, body }
  })()
  return { sending, answer }
}
