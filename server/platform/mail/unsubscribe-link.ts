import type { Config } from '../../config.ts'
import { computeSessionMac, isSessionMac } from '../../shared/session-mac.ts'

// Unsubscribe links, usable without signing in. The MAC covers the person and the kinds of email
// (R-notifications-22). A link grants nothing else and never expires.

export const unsubscribePath = '/mail/stop'

export type UnsubscribeParams = { to: string; kinds: string; proof: string }

export function unsubscribeLink(config: Config, userId: string, kinds: readonly string[]): string {
  const kindList = [...new Set(kinds)].sort().join(',')
  const url = new URL(unsubscribePath, config.publicUrl)
  const params: UnsubscribeParams = {
    to: userId,
    kinds: kindList,
    proof: computeSessionMac(config, signedText(userId, kindList)).toString('base64url'),
  }
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}

export function parseUnsubscribeLink(
  config: Config,
  params: Partial<Record<keyof UnsubscribeParams, unknown>>,
) {
  const { to, kinds, proof } = params
  if (typeof to !== 'string' || typeof kinds !== 'string' || typeof proof !== 'string') return null
  return isSessionMac(config, signedText(to, kinds), Buffer.from(proof, 'base64url'))
    ? { userId: to, kinds: kinds.split(',') }
    : null
}

const signedText = (userId: string, kinds: string): string => `stop mails ${userId} ${kinds}`
