import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'

type Secrets = Pick<Config, 'sessionSecret' | 'oldSessionSecret'>

/** Returns the HMAC-SHA-256 of a text with SESSION_SECRET. */
export const computeSessionMac = ({ sessionSecret }: Pick<Secrets, 'sessionSecret'>, text: string): Buffer =>
  createHmac('sha256', sessionSecret).update(text).digest()

/** Returns whether `mac` was made from this text with SESSION_SECRET or with the previous one. */
export function isSessionMac(secrets: Secrets, text: string, mac: Buffer): boolean {
  const { sessionSecret, oldSessionSecret } = secrets
  const accepted = oldSessionSecret === null ? [sessionSecret] : [sessionSecret, oldSessionSecret]
  const isMadeWith = (secret: string) =>
    timingSafeEqual(mac, computeSessionMac({ sessionSecret: secret }, text))
  return mac.length === macBytes && accepted.some(isMadeWith)
}

const macBytes = 32
