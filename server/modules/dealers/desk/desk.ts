import { hkdfSync } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { deliverToDesk } from '@keyturn/contract/dealers/dealer-desk.ts'
import { inAddress } from '../../../settings.ts'

/**
 * The dealer desk that is built in. It is an outside system that happens to live in this process: deals reach it by signed
 * HTTP, and it answers by signed HTTP (R-deals-77). `origin` is where this process listens; null until it does.
 */
export type DealerDesk = { key: string; origin: string | null }

/** Made of the secret that all processes share, so that any of them can take a delivery and answer it. It is stored nowhere. */
export const deskKey = (sessionSecret: string): string =>
  `whsec_${Buffer.from(hkdfSync('sha256', sessionSecret, '', 'keyturn key of the dealer desk', 32)).toString('base64')}`

type Configured = { sessionSecret: string; dealer: { webhookUrl: string | null } }

/** None where the default dealer has a system of its own. */
export const openDesk = ({ sessionSecret, dealer }: Configured): DealerDesk | undefined =>
  dealer.webhookUrl === null ? { key: deskKey(sessionSecret), origin: null } : undefined

/** Where this process reaches itself. */
export function originOf({ address, port }: AddressInfo): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return `http://${inAddress(host)}:${port}`
}

export const deliveriesUrl = ({ origin }: DealerDesk): string | null =>
  origin && new URL(deliverToDesk.path, origin).href
