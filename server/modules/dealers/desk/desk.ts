import { hkdfSync } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { deliverToDesk } from '@keyturn/contract/dealers/dealer-desk.ts'
import { formatUrlHost } from '../../../settings.ts'

/**
 * The built-in dealer desk, an external system in the same process. It receives deals and responds
 * by signed HTTP (R-deals-77). `origin` is this process's address, null until it listens.
 */
export type DealerDesk = { key: string; origin: string | null }

/**
 * Derives the desk's key from the secret that all processes share, so that any of them can handle a
 * delivery. The key is not stored.
 */
export const deskKey = (sessionSecret: string): string =>
  `whsec_${Buffer.from(hkdfSync('sha256', sessionSecret, '', 'keyturn key of the dealer desk', 32)).toString('base64')}`

type Configured = { sessionSecret: string; dealer: { webhookUrl: string | null } }

/** Undefined when the default dealer has its own system. */
export const createDesk = ({ sessionSecret, dealer }: Configured): DealerDesk | undefined =>
  dealer.webhookUrl === null ? { key: deskKey(sessionSecret), origin: null } : undefined

/** The address at which this process reaches itself. */
export function localOriginOf({ address, port }: AddressInfo): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return `http://${formatUrlHost(host)}:${port}`
}

export const deliveriesUrl = ({ origin }: DealerDesk): string | null =>
  origin && new URL(deliverToDesk.path, origin).href
