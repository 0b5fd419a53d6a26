import { expect, test } from 'vitest'
import { type Rotation, rotationOf } from './rotation.ts'

const unused = { expired: false, revoked: false, justNow: false, childHash: null, childPresented: false }
const child = { childHash: Buffer.from('child') }

test.each<[string, Partial<Parameters<typeof rotationOf>[0]>, Rotation]>([
  ['the newest token is rotated', {}, 'rotate'],
  ['the newest token, too late, is refused', { expired: true }, 'refuse'],
  ['two tabs at once: the second gets access only', { ...child, justNow: true }, 'accessOnly'],
  ['two tabs at once, and no child to share: one is made', { justNow: true }, 'rotate'],
  ['the answer was lost: the unused child is replaced', child, 'rotate'],
  ['a lost answer is no excuse forever', { ...child, expired: true }, 'refuse'],
  ['its child is in use: a copy', { ...child, childPresented: true }, 'reuse'],
  ['its child is in use: a copy, however soon', { ...child, childPresented: true, justNow: true }, 'reuse'],
  ['its child is in use: a copy, however late', { ...child, childPresented: true, expired: true }, 'reuse'],
  ['a child that was replaced unused: a copy', { revoked: true }, 'reuse'],
])('%s', (_, token, rotation) => {
  expect(rotationOf({ ...unused, ...token })).toBe(rotation)
})
