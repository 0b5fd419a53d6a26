import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail server and a dealer's system that take everything, and remember it. */
export type Outside = {
  settings: Record<string, string>
  /** Of each Message-ID the digests of what came under it. */
  letters: Map<string, Set<string>>
  /** The ids under which the dealer was sent something. */
  taken: Set<string>
  close(): Promise<void>
}

export const dealerKey = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

export async function openOutside(): Promise<Outside> {
  const letters = new Map<string, Set<string>>()
  const taken = new Set<string>()
  const office = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part) => parts.push(part))
      stream.on('end', () => {
        const mail = Buffer.concat(parts).toString()
        const messageId = /^Message-ID: (.*)$/im.exec(mail)?.[1]?.trim() ?? ''
        const digest = createHash('sha256').update(mail).digest('hex')
        letters.set(messageId, (letters.get(messageId) ?? new Set()).add(digest))
        done()
      })
    },
  })
  office.on('error', () => {})
  const smtp = office.listen(0, '127.0.0.1')
  await once(smtp, 'listening')
  const dealer = createServer((request, response) => {
    request.resume().on('end', () => {
      taken.add(String(request.headers['webhook-id']))
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(dealer, 'listening')
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
  return {
    settings: {
      SMTP_URL: `smtp://127.0.0.1:${portOf(smtp)}`,
      WEBHOOKS_PRIVATE: 'allow',
      DEALER_WEBHOOK_URL: `http://127.0.0.1:${portOf(dealer)}/`,
      DEALER_WEBHOOK_SECRET: dealerKey,
    },
    letters,
    taken,
    async close() {
      dealer.closeAllConnections()
      dealer.close()
      await new Promise<void>((resolve) => office.close(() => resolve()))
    },
  }
}
