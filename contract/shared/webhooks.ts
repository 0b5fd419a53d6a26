import { z } from 'zod'

// Webhooks as specified by standardwebhooks.com, in both directions.

export const webhookTexts = {
  secrets: 'Please enter one or two keys that begin with whsec_, with a space between them.',
  url: 'Please enter an address that begins with https://.',
} as const

/** 24 to 64 bytes in base64, as required by standardwebhooks.com. */
const secret = /^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2,4}={0,2})?$/

/** Two keys during a rotation: messages are signed with each of them, and either is accepted. */
export const webhookSecrets = z
  .string(webhookTexts.secrets)
  .max(1000, webhookTexts.secrets)
  .refine((text) => areFit(splitSecrets(text)), webhookTexts.secrets)

export const splitSecrets = (text: string): string[] => text.split(/\s+/).filter(Boolean)

const areFit = (all: readonly string[]): boolean =>
  all.length >= 1 && all.length <= 2 && all.every((one) => secret.test(one))

/** The URL that events are sent to. Its address is checked before each call. */
export const webhookUrl = z
  .string(webhookTexts.url)
  .trim()
  .max(1000, webhookTexts.url)
  .refine(isFitUrl, webhookTexts.url)

function isFitUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === ''
}

export const webhookHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const

/**
 * Returns what a dealer's system signs: method, path and body, so that a signature is valid for one
 * endpoint only. Deliveries to dealers are signed over the body alone, as standard libraries verify
 * them.
 */
export const webhookSigningInput = (method: string, path: string, body = ''): string =>
  `${method} ${path}\n${body}`

/** Maximum difference between a message's timestamp and the current time. */
export const webhookToleranceSeconds = 300
