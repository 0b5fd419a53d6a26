import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'

// A link by which somebody who is not signed in stops mails: it proves that we wrote it for this person and these kinds
// (R-notifications-22). It opens nothing else, and never ends, as mails are kept.

export const stopPath = '/mail/stop'

/** As it stands in an address. */
export type StopAsked = { to: string; kinds: string; proof: string }

export function stopLink(config: Config, userId: string, kinds: readonly string[]): string {
  const named = [...new Set(kinds)].sort().join(',')
  const url = new URL(stopPath, config.publicUrl)
  const asked: StopAsked = { to: userId, kinds: named, proof: proofOf(config, userId, named) }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  return url.href
}

/** Whose mails of which kinds; null for a link that we did not write. */
export function readStopLink(config: Config, asked: Partial<Record<keyof StopAsked, unknown>>) {
  const { to, kinds, proof } = asked
  if (typeof to !== 'string' || typeof kinds !== 'string' || typeof proof !== 'string') return null
  const [given, right] = [Buffer.from(proof), Buffer.from(proofOf(config, to, kinds))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  return { userId: to, kinds: kinds.split(',') }
}

const proofOf = ({ sessionSecret }: Config, userId: string, kinds: string): string =>
  createHmac('sha256', sessionSecret).update(`stop mails ${userId} ${kinds}`).digest('base64url')
