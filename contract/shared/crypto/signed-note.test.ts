import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { cosignedText, keyId, parseVerifier, verifySignedNote } from './signed-note.ts'

// c2sp.org/signed-note: a text, then lines with a signer's name and four bytes of the key before the
// signature. c2sp.org/tlog-cosignature: a signature with a time.

const hash = (...parts: readonly Uint8Array[]) => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest()
}
const spki = Buffer.from('302a300506032b6570032100', 'hex')
const tools = {
  hash,
  isSignedByEd25519: async (publicKey: Uint8Array, signature: Uint8Array, text: Uint8Array) =>
    verify(
      null,
      text,
      { key: Buffer.concat([spki, publicKey]), format: 'der' as const, type: 'spki' as const },
      signature,
    ),
}

type Key = { verifier: string; line(text: string, time?: number): string }

function aKey(name: string, type = 1): Key {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return keyOf(name, type, privateKey, publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
}

function keyOf(name: string, type: number, privateKey: KeyObject, publicKey: Buffer): Key {
  const key = Buffer.concat([Buffer.of(type), publicKey])
  const id = keyId(hash, name, key)
  return {
    verifier: `${name}+${id}+${key.toString('base64')}`,
    line: (text, time) => {
      const seconds = Buffer.alloc(time === undefined ? 0 : 8)
      if (time !== undefined) seconds.writeBigUInt64BE(BigInt(time))
      const message = time === undefined ? text : cosignedText(time, text)
      const signature = Buffer.concat([seconds, sign(null, Buffer.from(message), privateKey)])
      return `— ${name} ${Buffer.concat([Buffer.from(id, 'hex'), signature]).toString('base64')}\n`
    },
  }
}

const text = 'keyturn.example/log\n3\nroot\n'
const log = aKey('keyturn.example/log')
const sameName = aKey('keyturn.example/log')
const witness = aKey('witness.example/w1', 4)
const time = 1_679_315_147
const note = `${text}\n${log.line(text)}`
const read = (given: string, ...keys: Key[]) =>
  verifySignedNote(
    tools,
    keys.map(({ verifier }) => verifier),
    given,
  )

test('reads the text and the key of a note', async () => {
  expect(await read(note, log)).toMatchObject({
    text,
    signatures: [{ verifier: log.verifier, time: null, line: log.line(text).trimEnd() }],
  })
})

test('splits the text from the signatures at the last empty line', async () => {
  const lines = 'one\n\n— two three\n\nfour\n'
  expect((await read(`${lines}\n${log.line(lines)}`, log))?.text).toBe(lines)
})

// R-deals-108
test('ignores lines of unknown keys, wherever they are', async () => {
  const unknown = [sameName.line('another text'), witness.line(text, time), '— a.example AAAAAAA=\n']
  for (const lines of [
    [...unknown, log.line(text)],
    [log.line(text), ...unknown],
    [...unknown, ...Array.from({ length: 13 }, () => sameName.line(text)), log.line(text)],
  ])
    expect((await read(`${text}\n${lines.join('')}`, log))?.signatures).toHaveLength(1)
})

test('reads the times of cosignatures beside the signature of the log', async () => {
  const cosigned = note + witness.line(text, time) + witness.line(text, time + 9)
  const read3 = await read(cosigned, log, sameName, witness)
  expect(read3?.signatures.map((one) => [one.verifier, one.time])).toEqual([
    [log.verifier, null],
    [witness.verifier, time],
    [witness.verifier, time + 9],
  ])
})

test('tells two types of signature apart that share a name and a key', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const [plain, timed] = [1, 4].map((type) => keyOf('keyturn.example/log', type, privateKey, raw))
  if (!plain || !timed) throw new Error('No key')
  const both = `${text}\n${timed.line(text, time)}${plain.line(text)}`
  expect((await read(both, plain))?.signatures).toHaveLength(1)
  expect((await read(both, timed))?.signatures[0].time).toBe(time)
})

// R-deals-108
test('rejects the whole note when the signature of a known key is wrong', async () => {
  const other = 'another text\n'
  expect(await read(`${text}\n${log.line(other)}`, log)).toBeNull()
  expect(await read(note + witness.line(other, time), log, witness)).toBeNull()
  expect(await read(note + witness.line(other, time), log)).not.toBeNull()
  // The time is signed too.
  const [, , base64 = ''] = witness.line(text, time).trimEnd().split(' ')
  const bytes = Buffer.from(base64, 'base64')
  bytes.writeUInt8(bytes.readUInt8(11) ^ 1, 11)
  expect(await read(`${note}— witness.example/w1 ${bytes.toString('base64')}\n`, log, witness)).toBeNull()
  const short = Buffer.from(log.line(text).split(' ')[2] ?? '', 'base64').subarray(0, 40)
  expect(await read(`${text}\n— keyturn.example/log ${short.toString('base64')}\n`, log)).toBeNull()
})

test.each([
  ['without a signature of a known key', `${text}\n${sameName.line(text)}`],
  ['without a signature', text],
  ['without a line after the empty one', `${text}\n`],
  ['without a final line break', note.trimEnd()],
  ['with other text after the signatures', `${note}x\n`],
  ['with a signature that is not base64', `${note}— a.example !\n`],
  ['with a signature without bytes', `${note}— a.example AAAAAA==\n`],
  ['with a carriage return', `${note}\r`],
  ['without a text', `\n${log.line('')}`],
  ['with a hyphen for the dash', note.replace('\n— ', '\n- ')],
])('rejects a note %s', async (_, given) => {
  expect(await read(given, log)).toBeNull()
})

test.each([
  ['of another type', aKey('a.example', 2).verifier],
  ['that is too long', `${log.verifier}AAAA`],
  ['that is not base64', log.verifier.slice(0, -1)],
  ['without an id', 'keyturn'],
  ['with the id of another key', log.verifier.replace(/\+[0-9a-f]{8}\+/, '+abababab+')],
])('rejects a key %s', (_, verifier) => {
  expect(parseVerifier(hash, verifier)).toBeNull()
  expect(parseVerifier(hash, log.verifier)).not.toBeNull()
})
