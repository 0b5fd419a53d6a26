import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readNote } from './signed-note.ts'

// c2sp.org/signed-note: a text, then the signer's name and four bytes of the key before the
// signature.

const hash = (...parts: readonly Uint8Array[]) => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest()
}
const name = 'keyturn.example/log'
const signature = Buffer.alloc(64, 7)

function aNote({ key = Buffer.alloc(32, 9), kind = 1, id = '', end = '\n', claimed = '' } = {}) {
  const bytes = Buffer.concat([Buffer.of(kind), key])
  const own =
    id ||
    hash(Buffer.from(`${name}\n`), bytes)
      .subarray(0, 4)
      .toString('hex')
  const signed = Buffer.concat([Buffer.from(claimed || own, 'hex'), signature]).toString('base64')
  return {
    verifier: `${name}+${own}+${bytes.toString('base64')}`,
    note: `a text\n\n— ${name} ${signed}${end}`,
  }
}
const read = ({ verifier, note }: { verifier: string; note: string }) => readNote(hash, verifier, note)

test('reads the text, the key and the signature of a note', () => {
  expect(read(aNote())).toEqual({
    text: 'a text\n',
    signature: new Uint8Array(signature),
    publicKey: new Uint8Array(32).fill(9),
  })
})

test('ends the text at the signature line, even when there is no text', () => {
  const { verifier, note } = aNote()
  expect(read({ verifier, note: note.slice('a text\n'.length) })?.text).toBe('')
})

const good = aNote()
const line = good.note.slice(good.note.lastIndexOf(' ') + 1)
test.each([
  ['of another kind of key', aNote({ kind: 2 })],
  ['of a key that is too long', aNote({ key: Buffer.alloc(33, 9) })],
  ['of a key that is no text of bytes', { ...good, verifier: good.verifier.slice(0, -1) }],
  ['of a verifier that is none', { ...good, verifier: 'keyturn' }],
  ['of a name that another key has', aNote({ id: 'ab'.repeat(4) })],
  ['signed with another key of the same name', aNote({ claimed: 'ab'.repeat(4) })],
  ['without an end of its last line', aNote({ end: 'x' })],
  ['with something else in front of its signature', { ...good, note: 'x'.repeat(name.length + 3) + line }],
  ['without a signature', { ...good, note: 'a text\n' }],
  ['with a signature that is no text of bytes', { ...good, note: `a text\n\n— ${name} !\n` }],
])('a note %s is none', (_, note) => {
  expect(read(note)).toBeNull()
})
