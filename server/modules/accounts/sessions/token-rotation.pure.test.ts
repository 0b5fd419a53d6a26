import { expect, test } from 'vitest'
import { decideRotation, type Rotation } from './token-rotation.ts'

const unused = { expired: false, revoked: false, justNow: false, childHash: null, childPresented: false }
const child = { childHash: Buffer.from('child') }

test.each<[string, Partial<Parameters<typeof decideRotation>[0]>, Rotation]>([
  ['rotates the newest token', {}, 'rotate'],
  ['rejects the newest token after it expired', { expired: true }, 'refuse'],
  ['gives the second of two concurrent tabs an access token only', { ...child, justNow: true }, 'accessOnly'],
  ['creates a child for concurrent tabs without one', { justNow: true }, 'rotate'],
  ['replaces an unused child when the response was lost', child, 'rotate'],
  ['rejects an expired token even when the response was lost', { ...child, expired: true }, 'refuse'],
  ['detects a copy when the child is in use', { ...child, childPresented: true }, 'reuse'],
  [
    'detects a copy when the child is in use, however soon',
    { ...child, childPresented: true, justNow: true },
    'reuse',
  ],
  [
    'detects a copy when the child is in use, however late',
    { ...child, childPresented: true, expired: true },
    'reuse',
  ],
  ['detects a copy when the token was replaced unused', { revoked: true }, 'reuse'],
])('%s', (_, token, rotation) => {
  expect(decideRotation({ ...unused, ...token })).toBe(rotation)
})
