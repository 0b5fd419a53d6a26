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

test('ends the text at the signature line, even when the text is empty', () => {
  const { verifier, note } = aNote()
  expect(read({ verifier, note: note.slice('a text\n'.length) })?.text).toBe('')
})

const good = aNote()
const line = good.note.slice(good.note.lastIndexOf(' ') + 1)
test.each([
  ['with another type of key', aNote({ kind: 2 })],
  ['with a key that is too long', aNote({ key: Buffer.alloc(33, 9) })],
  ['with a key that is not base64', { ...good, verifier: good.verifier.slice(0, -1) }],
  ['for an invalid verifier', { ...good, verifier: 'keyturn' }],
  ['for a verifier with the id of another key', aNote({ id: 'ab'.repeat(4) })],
  ['signed with another key of the same name', aNote({ claimed: 'ab'.repeat(4) })],
  ['without a final line break', aNote({ end: 'x' })],
  ['with other text before the signature', { ...good, note: 'x'.repeat(name.length + 3) + line }],
  ['without a signature', { ...good, note: 'a text\n' }],
  ['with a signature that is not base64', { ...good, note: `a text\n\n— ${name} !\n` }],
])('rejects a note %s', (_, note) => {
  expect(read(note)).toBeNull()
})
