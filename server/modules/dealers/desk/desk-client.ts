import { randomBytes } from 'node:crypto'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { type ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import { webhookHeaders, webhookSigningInput } from '@keyturn/contract/shared/webhooks.ts'
import { Webhook } from 'standardwebhooks'
import type { DealerDesk } from './desk.ts'

type SignedRequest = { pkgId: string; body?: object; id?: string }

/** Sends one signed HTTP request as a dealer's system does. Rethrows API errors by their code. */
export async function sendSignedRequest(
  { key, origin }: DealerDesk,
  { method, path: pattern, media = 'application/json' }: Endpoint,
  { pkgId, body, id = `desk_${randomBytes(12).toString('hex')}` }: SignedRequest,
): Promise<Buffer> {
  if (origin === null) throw apiErrors.Unavailable()
  const path = pattern.replace(':pkgId', pkgId)
  const content = body && JSON.stringify(body)
  const { isAccepted, bytes } = await fetchBytes(new URL(path, origin), {
    method,
    headers: {
      accept: media,
      ...(content !== undefined && { 'content-type': 'application/json' }),
      ...signatureOf(key, id, webhookSigningInput(method, path, content)),
      // An open connection would delay the server's shutdown.
      connection: 'close',
    },
    ...(content !== undefined && { body: content }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!isAccepted) throw readError(bytes)
  return bytes
}

/** Longer than the wait for an agreement that is being rendered. */
const timeoutMs = 24_000

async function fetchBytes(url: URL, init: RequestInit): Promise<{ isAccepted: boolean; bytes: Buffer }> {
  try {
    const response = await fetch(url, init)
    return { isAccepted: response.ok, bytes: Buffer.from(await response.arrayBuffer()) }
  } catch {
    throw apiErrors.Unavailable()
  }
}

function signatureOf(key: string, id: string, content: string): Record<string, string> {
  const at = new Date()
  return {
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: String(Math.floor(at.getTime() / 1000)),
    [webhookHeaders.signature]: new Webhook(key).sign(id, at, content),
  }
}

function readError(bytes: Buffer): ApiError {
  const { errorCode } = JSON.parse(bytes.toString()) as { errorCode?: string }
  if (errorCode === 'NotFound') return apiErrors.NotFound()
  if (errorCode === 'InvalidTransition') return dealErrors.InvalidTransition()
  if (errorCode === 'DealPaused') return dealErrors.DealPaused()
  if (errorCode === 'IdempotencyKeyReused') return apiErrors.IdempotencyKeyReused()
  return apiErrors.Unavailable()
}
