import type { Config } from '../../config.ts'
import { isSessionMac, sessionMac } from '../../shared/session-mac.ts'

// Unsubscribe links, usable without signing in. The MAC covers the person and the kinds of email
// (R-notifications-22). A link grants nothing else and never expires.

export const stopPath = '/mail/stop'

export type StopAsked = { to: string; kinds: string; proof: string }

export function stopLink(config: Config, userId: string, kinds: readonly string[]): string {
  const named = [...new Set(kinds)].sort().join(',')
  const url = new URL(stopPath, config.publicUrl)
  const asked: StopAsked = {
    to: userId,
    kinds: named,
    proof: sessionMac(config, signedText(userId, named)).toString('base64url'),
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  return url.href
}

export function readStopLink(config: Config, asked: Partial<Record<keyof StopAsked, unknown>>) {
  const { to, kinds, proof } = asked
  if (typeof to !== 'string' || typeof kinds !== 'string' || typeof proof !== 'string') return null
  return isSessionMac(config, signedText(to, kinds), Buffer.from(proof, 'base64url'))
    ? { userId: to, kinds: kinds.split(',') }
    : null
}

const signedText = (userId: string, kinds: string): string => `stop mails ${userId} ${kinds}`
