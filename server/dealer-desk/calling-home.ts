import { randomBytes } from 'node:crypto'
import { dealRefusals } from '@keyturn/contract/deals/texts.ts'
import type { Call } from '@keyturn/contract/kit/call.ts'
import { type Refusal, refuse } from '@keyturn/contract/kit/refusal.ts'
import { signedCall, webhookHeaders } from '@keyturn/contract/kit/webhooks.ts'
import { Webhook } from 'standardwebhooks'
import type { DealerDesk } from './desk.ts'

type Asked = { pkgId: string; body?: object; id?: string }
type Answered = { status: number; bytes: Buffer }

/** One call as a dealer's system makes it: signed, by HTTP. What is refused there is refused here by the same name. */
export async function callHome(desk: DealerDesk, call: Call, { pkgId, body, id }: Asked): Promise<Buffer> {
  const path = call.path.replace(':pkgId', pkgId)
  const content = body && JSON.stringify(body)
  const headers = {
    accept: call.media ?? 'application/json',
    ...(content !== undefined && { 'content-type': 'application/json' }),
    ...signatureOf(
      desk.key,
      id ?? `desk_${randomBytes(12).toString('hex')}`,
      signedCall(call.method, path, content),
    ),
  }
  const { status, bytes } = await ask(desk, call.method, path, headers, content)
  if (status > 299) throw refusalIn(bytes)
  return bytes
}

function signatureOf(key: string, id: string, content: string): Record<string, string> {
  const at = new Date()
  return {
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: String(Math.floor(at.getTime() / 1000)),
    [webhookHeaders.signature]: new Webhook(key).sign(id, at, content),
  }
}

/** Longer than an agreement that is being drawn is waited for. */
const limitMs = 24_000

async function ask(
  { origin }: DealerDesk,
  method: string,
  path: string,
  headers: Record<string, string>,
  content?: string,
): Promise<Answered> {
  if (origin === null) throw refuse.Unavailable()
  try {
    const response = await fetch(new URL(path, origin), {
      method,
      // None is kept open: it would be in the way of the server's own end.
      headers: { ...headers, connection: 'close' },
      ...(content !== undefined && { body: content }),
      redirect: 'error',
      signal: AbortSignal.timeout(limitMs),
    })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  } catch {
    throw refuse.Unavailable()
  }
}

function refusalIn(bytes: Buffer): Refusal {
  const { errorCode } = JSON.parse(bytes.toString()) as { errorCode?: string }
  if (errorCode === 'NotFound') return refuse.NotFound()
  if (errorCode === 'InvalidTransition') return dealRefusals.InvalidTransition()
  if (errorCode === 'IdempotencyKeyReused') return refuse.IdempotencyKeyReused()
  return refuse.Unavailable()
}
