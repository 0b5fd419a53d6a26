import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isConsistent } from '@keyturn/contract/shared/crypto/merkle.ts'
import { onTestFinished } from 'vitest'

type Cosigned = { size: number; root: string }
export type TestWitness = {
  /** The value of `LOG_WITNESSES`. */
  setting: string
  verifier: string
  /** The status of each answer. */
  statuses: number[]
  /** The last head that it cosigned, by origin. A test may change it. */
  cosigned: Map<string, Cosigned>
  /** Cosigns the whole note as if it were a text, behind an empty line. */
  signsNote: boolean
  /** Runs before each answer. */
  beforeAnswer: () => Promise<void>
  /** Answers everything with this instead. */
  broken: { status: number; body: string } | null
  /** Added to the time of each cosignature, in seconds. */
  clockError: number
}

const sha256 = (...parts: readonly (string | Uint8Array)[]) =>
  parts
    .reduce<ReturnType<typeof createHash>>((hash, part) => hash.update(part), createHash('sha256'))
    .digest()

/**
 * Starts a witness that follows c2sp.org/tlog-witness, written from the text: it shares no code with
 * the server but the Merkle tree. `trusted` returns the log's keys.
 */
export async function startWitness(trusted: () => Promise<string[]>): Promise<TestWitness> {
  const name = 'witness.example/w1'
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = Buffer.concat([Buffer.of(4), publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)])
  const id = sha256(`${name}\n`, key).subarray(0, 4)
  const verifier = `${name}+${id.toString('hex')}+${key.toString('base64')}`

  async function answer(body: string): Promise<[status: number, body: string, type?: string]> {
    const gap = body.indexOf('\n\n')
    const [oldLine = '', ...proof] = body.slice(0, gap).split('\n')
    const note = body.slice(gap + 2)
    const end = note.lastIndexOf('\n\n')
    const text = note.slice(0, end + 1)
    const [origin = '', size = '', root = ''] = text.split('\n')
    const keys = await trusted()
    if (!keys.some((one) => one.startsWith(`${origin}+`))) return [404, '']
    if (
      !note
        .slice(end + 2)
        .split('\n')
        .some((line) => isSigned(line, text, keys))
    )
      return [403, '']
    const old = Number(/^old (0|[1-9]\d*)$/.exec(oldLine)?.[1])
    if (!(old <= Number(size))) return [400, '']
    const last = witness.cosigned.get(origin) ?? { size: 0, root: '' }
    if (old !== last.size) return [409, `${last.size}\n`, 'text/x.tlog.size']
    if (old === Number(size) && root !== last.root) return [409, `${last.size}\n`, 'text/x.tlog.size']
    const headOf = (one: Cosigned) => ({ size: one.size, root: Buffer.from(one.root, 'base64') })
    const hashes = proof.map((line) => Buffer.from(line, 'base64'))
    if (!isConsistent(sha256, headOf(last), headOf({ size: Number(size), root }), hashes)) return [422, '']
    witness.cosigned.set(origin, { size: Number(size), root })
    return [200, witness.signsNote ? `\n${cosign(note)}` : `${otherLine}${cosign(text)}`]
  }

  /** Clients ignore the lines of keys that they do not know. */
  const otherLine = `— ${name} ${Buffer.alloc(76, 7).toString('base64')}\n`
  function cosign(text: string): string {
    const time = Math.floor(Date.now() / 1000) + witness.clockError
    const seconds = Buffer.alloc(8)
    seconds.writeBigUInt64BE(BigInt(time))
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), privateKey)
    return `— ${name} ${Buffer.concat([id, seconds, signature]).toString('base64')}\n`
  }

  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', async () => {
      const isKnown = request.method === 'POST' && request.url === '/w1/add-checkpoint'
      await witness.beforeAnswer()
      const { broken } = witness
      const [status, words, type = 'text/plain'] = broken
        ? ([broken.status, broken.body] as const)
        : isKnown
          ? await answer(body)
          : ([404, ''] as const)
      witness.statuses.push(status)
      response.writeHead(status, { 'content-type': type }).end(words)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const witness: TestWitness = {
    setting: `${verifier} http://127.0.0.1:${port}/w1/`,
    verifier,
    statuses: [],
    cosigned: new Map(),
    signsNote: false,
    beforeAnswer: async () => {},
    broken: null,
    clockError: 0,
  }
  return witness
}

/** Verifies a line of a signed note by one of the keys, all of type 1. */
function isSigned(line: string, text: string, keys: readonly string[]): boolean {
  const [, name, signed = ''] = line.split(' ')
  const bytes = Buffer.from(signed, 'base64')
  return keys.some((one) => {
    const [, ofKey, id, encoded = ''] = /^(.+)\+([0-9a-f]{8})\+(.+)$/.exec(one) ?? []
    const key = Buffer.from(encoded, 'base64')
    if (name !== ofKey || bytes.subarray(0, 4).toString('hex') !== id || key[0] !== 1) return false
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.subarray(1)])
    const publicKey = { key: spki, format: 'der', type: 'spki' } as const
    return verify(null, Buffer.from(text), publicKey, bytes.subarray(4))
  })
}
