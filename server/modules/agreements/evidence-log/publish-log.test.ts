import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readEvidenceLog } from '@keyturn/contract/agreements/evidence-log.ts'
import { verifyAgreement } from '@keyturn/contract/agreements/verification/endpoints.ts'
import { verificationTexts } from '@keyturn/contract/agreements/verification/verification-texts.ts'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startWitness, type TestWitness } from '../../../../tests/support/http/log-witness.ts'
import { aSignedDeal, type SignedDeal } from '../../../../tests/support/sales/signed-deals.ts'
import { startTestServer, type TestServer } from '../../../../tests/support/test-server.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { runDueJobs } from '../../../platform/jobs/jobs.ts'
import { sha256 } from '../evidence-hashes.ts'
import { verifyFiles } from '../verification/verify-files.ts'
import { appendToLog } from './evidence-log.ts'
import { deriveHeadKey, verifyNote } from './head-key.ts'
import { readWitnessGauges, submitHeadJob, submitHeadTask } from './submit-heads.ts'

// A stranger reads the log by c2sp.org/tlog-tiles; the reader below is written from that text and
// RFC 6962 alone.

const settings = { EVIDENCE_KEY: 'a secret of at least 32 characters', WEBHOOKS_PRIVATE: 'allow' }
const server = await startTestServer(settings)

const get = (url: string, headers = {}, from = server) => from.app.inject({ url, headers })
const readCheckpoint = async (from = server) => (await get('/log/checkpoint', {}, from)).body
const readKeys = async (from = server) => (await from.browser().ask(readEvidenceLog)).keys

/** Appends entries without their rows. */
async function append(count: number, to: TestServer = server): Promise<void> {
  const entries = Array.from({ length: count }, () => ({
    kind: 'signature' as const,
    rowId: randomBytes(12).toString('hex'),
    digest: randomBytes(32),
  }))
  const [first, ...more] = entries
  if (first) await transaction(to.deps.db, (tx) => appendToLog(to.deps, tx, [first, ...more]))
}

const headOf = (checkpoint: string) => {
  const [origin = '', size = '', root = ''] = checkpoint.split('\n')
  return { origin, size: Number(size), root }
}

// RFC 6962, section 2.1, from its definition.
function treeHash(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves
  if (!first) return sha256('')
  if (leaves.length === 1) return first
  let left = 1
  while (left * 2 < leaves.length) left *= 2
  return sha256(Buffer.of(1), treeHash(leaves.slice(0, left)), treeHash(leaves.slice(left)))
}

const pathOf = (index: number) =>
  String(index)
    .padStart(Math.ceil(String(index).length / 3) * 3, '0')
    .replace(/\d{3}(?=\d)/g, 'x$&/')
const tilePaths = (count: number) =>
  Array.from({ length: Math.ceil(count / 256) }, (_, index) => {
    const width = Math.min(256, count - index * 256)
    return `${pathOf(index)}${width < 256 ? `.p/${width}` : ''}`
  })
async function readTiles(level: number | 'entries', count: number): Promise<Buffer[]> {
  const sent = await Promise.all(tilePaths(count).map((path) => get(`/log/tile/${level}/${path}`)))
  for (const { statusCode, headers } of sent) {
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('application/octet-stream')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  }
  return sent.map(({ rawPayload }) => rawPayload)
}
const hashesOf = (tiles: readonly Buffer[]) => {
  const all = Buffer.concat(tiles)
  return Array.from({ length: all.length / 32 }, (_, at) => all.subarray(at * 32, (at + 1) * 32))
}
function entriesOf(bundle: Buffer): Buffer[] {
  const entries: Buffer[] = []
  for (let at = 0; at < bundle.length; at += 2 + bundle.readUInt16BE(at))
    entries.push(bundle.subarray(at + 2, at + 2 + bundle.readUInt16BE(at)))
  return entries
}

let signed: SignedDeal

test('publishes a checkpoint of the empty log, signed and with the present time', async () => {
  const checkpoint = await readCheckpoint()
  expect(checkpoint).toMatch(
    /^127\.0\.0\.1:3000\/log\n0\n47DEQpj8HBSa\+\/TImW\+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n/,
  )
  const verified = await verifyNote(await readKeys(), checkpoint)
  expect(verified?.signatures).toHaveLength(2)
  expect((await get('/log/tile/0/000.p/1')).statusCode).toBe(404)
})

// R-deals-107
test('lets a stranger rebuild the root of a checkpoint from entries and from tiles', async () => {
  signed = await aSignedDeal(server)
  await append(600)
  const sent = await get('/log/checkpoint')
  expect(sent.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'public, max-age=5',
  })
  const { origin, size, root } = headOf(sent.body)
  expect([origin, size]).toEqual(['127.0.0.1:3000/log', 603])
  const verified = await verifyNote(await readKeys(), sent.body)
  const times = verified?.signatures.map(({ time }) => time)
  expect(times?.[0]).toBeNull()
  expect(Math.abs(Number(times?.[1]) - Date.now() / 1000)).toBeLessThan(60)

  const entries = (await readTiles('entries', size)).flatMap(entriesOf)
  expect(entries).toHaveLength(size)
  for (const entry of entries) expect(String(entry)).toMatch(/^keyturn (signature|package) [0-9a-f]{64}$/)
  const leaves = entries.map((entry) => sha256(Buffer.of(0), entry))
  expect(treeHash(leaves).toString('base64')).toBe(root)
  expect(hashesOf(await readTiles(0, size))).toEqual(leaves)
  expect(hashesOf(await readTiles(1, Math.floor(size / 256)))).toEqual(
    [0, 1].map((at) => treeHash(leaves.slice(at * 256, (at + 1) * 256))),
  )
})

test('gives no time to a head that was signed at an earlier address', async () => {
  const { publicUrl } = server.deps.config
  server.deps.config.publicUrl = new URL('https://moved.example')
  try {
    const verified = await verifyNote(await readKeys(), await readCheckpoint())
    expect(verified?.signatures.map(({ time }) => time)).toEqual([null])
  } finally {
    server.deps.config.publicUrl = publicUrl
  }
})

test('serves partial tiles of every earlier size, and nothing beyond the log', async () => {
  for (const width of [1, 3, 91]) {
    const { rawPayload } = await get(`/log/tile/0/002.p/${width}`)
    expect(rawPayload.length).toBe(width * 32)
  }
  const beyond = ['0/002', '0/002.p/92', '0/003.p/1', '1/000', '1/000.p/3', '2/000.p/1', '63/000.p/1']
  const malformed = ['0/2', '0/x000/002.p/1', '0/000.p/256', '64/000', 'entries/0', 'leaves/000', '0/*']
  for (const path of [...beyond, 'entries/002', ...malformed])
    expect([path, (await get(`/log/tile/${path}`)).statusCode]).toEqual([path, 404])
  expect((await get('/log/tile/0/999.p/1')).headers['cache-control']).toBe('no-store')
})

test('compresses entries for clients that accept it', async () => {
  const sent = await get('/log/tile/entries/000', { 'accept-encoding': 'gzip, br' })
  expect(sent.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  const plain = await get('/log/tile/entries/000')
  expect(gunzipSync(sent.rawPayload)).toEqual(plain.rawPayload)
  expect(sent.rawPayload.length).toBeLessThan(plain.rawPayload.length * 0.7)
})

let witness: TestWitness
beforeEach(async () => {
  witness = await startWitness(async () => (await readKeys()).filter((_, at) => at % 2 === 0))
  const name = witness.verifier.slice(0, witness.verifier.indexOf('+'))
  server.deps.config.witnesses = [
    { name, verifier: witness.verifier, url: witness.setting.split(' ')[1]?.slice(0, -1) ?? '' },
  ]
})
const submit = () => runDueJobs(server.deps, { [submitHeadJob]: submitHeadTask(server.deps) })
const cosigners = async () => {
  const verified = await verifyNote([...(await readKeys()), witness.verifier], await readCheckpoint())
  return verified?.signatures.filter(({ verifier }) => verifier === witness.verifier) ?? []
}
const behind = async () => (await readWitnessGauges(server.deps)).map(({ value }) => value)

// R-deals-109
test('submits the newest head to a witness and serves its cosignature', async () => {
  await append(2)
  expect(await behind()).toEqual([605])
  await submit()
  expect(witness.statuses).toEqual([200])
  const [cosigned] = await cosigners()
  expect(Math.abs(Number(cosigned?.time) - Date.now() / 1000)).toBeLessThan(60)
  expect(await behind()).toEqual([0])
  // Several heads between two submissions: only the last one is submitted, from the last cosigned.
  await append(3)
  await append(1)
  expect(await cosigners()).toEqual([])
  await submit()
  expect(witness.statuses).toEqual([200, 200])
  expect(await cosigners()).toHaveLength(1)
  expect((await server.browser().ask(readEvidenceLog)).witnesses).toEqual([witness.verifier])
  const status = await server.browser().ask(verifyAgreement, { params: { agreement: signed.pkgId } })
  expect(status.cosigned).toEqual([{ witness: 'witness.example/w1', at: expect.any(String) }])
  const sentences = status.cosigned?.map(({ witness, at }) =>
    verificationTexts.standings.cosigned(witness, at),
  )
  expect(sentences?.[0]).toMatch(
    /^We have a cosignature by witness\.example\/w1, dated \d\d\/\d\d\/20\d\d, .* UTC\. /,
  )
})

test('continues from the size that the witness names', async () => {
  const { origin, ...head } = headOf(await readCheckpoint())
  witness.cosigned.set(origin, head)
  await append(5)
  await submit()
  expect(witness.statuses).toEqual([409, 200])
  expect(await cosigners()).toHaveLength(1)
})

test.each([
  ['is down', { status: 503, body: '' }],
  ['answers with something else', { status: 200, body: 'hello\n' }],
  ['answers with lines of other keys only', { status: 200, body: `— a.example ${'A'.repeat(40)}\n` }],
  ['does not know the log', { status: 404, body: '' }],
  ['has cosigned a longer log', { status: 409, body: '1000000\n' }],
  ['has cosigned another log', { status: 422, body: '' }],
])('asks a witness again that %s', async (_, broken) => {
  await append(1)
  witness.broken = broken
  await submit()
  expect(await cosigners()).toEqual([])
  witness.broken = null
  await server.moveClock('20 seconds')
  await submit()
  await server.moveClock('0')
  expect(await cosigners()).toHaveLength(1)
})

test('does not store a cosignature with a time that is wrong', async () => {
  for (const clockError of [-4000, 4000]) {
    await append(1)
    witness.clockError = clockError
    await submit()
    expect(await cosigners()).toEqual([])
  }
  expect(witness.statuses).toEqual([200, 409, 200])
})

// R-deals-109
test('does not store a cosignature of another text than that of the head', async () => {
  await append(1)
  witness.signsNote = true
  await submit()
  expect(witness.statuses).toEqual([200])
  expect(await behind()).not.toEqual([0])
  expect(await verifyNote(await readKeys(), await readCheckpoint())).not.toBeNull()
})

// R-deals-109
test('reports a conflict only when the witness has cosigned a longer log than ours', async () => {
  const errors = vi.spyOn(server.deps.log, 'error')
  onTestFinished(() => errors.mockRestore())
  await append(1)
  // The witness receives a later head while it still has this one.
  witness.beforeAnswer = async () => {
    witness.beforeAnswer = async () => {}
    await append(1)
    await submit()
  }
  await submit()
  expect(witness.statuses).toEqual([200, 409, 200])
  expect(await cosigners()).toHaveLength(1)
  expect(errors).not.toHaveBeenCalled()
  await append(1)
  witness.broken = { status: 409, body: '1000000\n' }
  await submit()
  expect(errors).toHaveBeenCalledOnce()
})

const folder = mkdtempSync(join(tmpdir(), 'keyturn-heads-'))
afterAll(() => rmSync(folder, { recursive: true }))
function save(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}
async function verify(...given: string[]) {
  const lines: string[] = []
  return { code: await verifyFiles(given, (line) => lines.push(line)), text: lines.join('\n') }
}

// R-deals-110
test('proves one history of two heads by a saved proof, by saved tiles, and by fetched tiles', async () => {
  const older = save('older.txt', await readCheckpoint())
  const { size } = headOf(await readCheckpoint())
  await append(300)
  const newer = save('newer.txt', await readCheckpoint())
  const keys = save('log.json', (await get('/.well-known/keyturn-log')).body)
  const bare = await verify('--keys', keys, '--heads', newer, older)
  expect(bare).toMatchObject({ code: 2, text: expect.stringContaining(`/log/consistency/${size}`) })
  const growth = save('growth.json', (await get(`/log/consistency/${size}`)).body)
  const proven = await verify('--keys', keys, '--keys', growth, '--heads', newer, older)
  expect(proven).toMatchObject({
    code: 0,
    text: expect.stringContaining(`One history: newer.txt begins with the ${size} entries of older.txt.`),
  })
  expect(proven.text).toMatch(/signed by 127\.0\.0\.1:3000\/log at 20/)
  const tiles = join(folder, 'mirror')
  const missing = await verify('--keys', keys, '--tiles', tiles, '--heads', older, newer)
  expect(missing).toMatchObject({ code: 2, text: expect.stringMatching(/tile\/0\/\d{3}/) })
  await saveTiles(tiles, headOf(await readCheckpoint()).size)
  expect(await verify('--keys', keys, '--tiles', tiles, '--heads', older, newer)).toMatchObject({ code: 0 })
  const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
  expect(await verify('--keys', keys, '--tiles', `${address}/log`, '--heads', older, newer)).toMatchObject({
    code: 0,
  })
  expect(await verify('--keys', keys, '--heads', older, older)).toMatchObject({ code: 0 })
  // Both are the beginning of a third head.
  await append(1)
  const [one, other] = await Promise.all(
    [size, size + 300].map(async (from) =>
      save(`to-now-${from}.json`, (await get(`/log/consistency/${from}`)).body),
    ),
  )
  const viaThird = await verify(
    '--keys',
    keys,
    '--keys',
    one ?? '',
    '--keys',
    other ?? '',
    '--heads',
    older,
    newer,
  )
  expect(viaThird.code).toBe(0)
})

async function saveTiles(to: string, size: number, from = server): Promise<void> {
  for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / 256))
    for (const path of tilePaths(count))
      save(
        join(to, `tile/${level}/${path}`).slice(folder.length + 1),
        (await get(`/log/tile/${level}/${path}`, {}, from)).rawPayload,
      )
}

// R-deals-110
test('tells two forks of one log apart that are signed with the same key', async () => {
  const fork = await startTestServer(settings)
  await append(5, fork)
  const ofFork = save('fork-5.txt', await readCheckpoint(fork))
  const ours = save('ours.txt', await readCheckpoint())
  const keys = save('keys.json', (await get('/.well-known/keyturn-log')).body)
  const growth = save('growth-5.json', (await get('/log/consistency/5')).body)
  const byProof = await verify('--keys', keys, '--keys', growth, '--heads', ofFork, ours)
  expect(byProof).toMatchObject({
    code: 1,
    text: expect.stringContaining('Two histories: ours.txt does not begin with the 5 entries of fork-5.txt.'),
  })
  // The proof from a power of two omits the older root, which the tiles contain.
  await append(3, fork)
  const eight = save('fork-8.txt', await readCheckpoint(fork))
  const ofEight = save('growth-8.json', (await get('/log/consistency/8')).body)
  expect((await verify('--keys', keys, '--keys', ofEight, '--heads', eight, ours)).code).toBe(2)
  const tiles = join(folder, 'ours')
  await saveTiles(tiles, headOf(await readCheckpoint()).size)
  expect((await verify('--keys', keys, '--tiles', tiles, '--heads', eight, ours)).code).toBe(1)
  // Tiles of the other fork prove nothing about a head of this one.
  const otherTiles = join(folder, 'fork')
  await saveTiles(otherTiles, 8, fork)
  expect((await verify('--keys', keys, '--tiles', otherTiles, '--heads', eight, ours)).code).toBe(2)
  expect((await verify('--keys', keys, '--tiles', otherTiles, '--heads', ofFork, eight)).code).toBe(0)
  const sameSize = await startTestServer(settings)
  await append(8, sameSize)
  const another = save('same-size.txt', await readCheckpoint(sameSize))
  expect((await verify('--keys', keys, '--heads', eight, another)).code).toBe(1)
})

// R-deals-110
test('accuses no log of two histories by heads of two sites or by keys that only the heads name', async () => {
  const checkpoint = await readCheckpoint()
  const ours = save('our-site.txt', checkpoint)
  const keys = save('our-keys.json', (await get('/.well-known/keyturn-log')).body)
  const site = await startTestServer({ ...settings, PUBLIC_URL: 'https://another.example' })
  await append(headOf(checkpoint).size, site)
  const another = save('another-site.txt', await readCheckpoint(site))
  const otherKeys = save('other-keys.json', (await get('/.well-known/keyturn-log', {}, site)).body)
  expect(await verify('--keys', keys, '--keys', otherKeys, '--heads', ours, another)).toMatchObject({
    code: 2,
    text: expect.stringMatching(
      /Not proven: .*-site\.txt is a head of .*\/log, and .*-site\.txt is a head of .*\/log\./,
    ),
  })
  // The key of another site signs a head that has our name.
  const [text = ''] = checkpoint.replace(/\n[^\n]{44}\n/, `\n${'A'.repeat(43)}=\n`).split('\n\n')
  const foreign = save('foreign.txt', deriveHeadKey(site.deps.config).noteOf(`${text}\n`))
  expect(await verify('--keys', keys, '--keys', otherKeys, '--heads', ours, foreign)).toMatchObject({
    code: 2,
    text: expect.stringContaining('foreign.txt: not a head'),
  })
  // Anyone can make a key that has our name, and put it beside a head.
  const evidenceKey = 'another secret of at least 32 characters'
  const invented = deriveHeadKey({ ...server.deps.config, evidenceKey })
  const { size } = headOf(checkpoint)
  const head = { size, root: Buffer.alloc(32).toString('base64'), note: invented.noteOf(`${text}\n`) }
  const forged = save('forged.json', JSON.stringify({ head, key: invented.verifier, rows: [] }))
  const good = save('our-log.json', (await get('/.well-known/keyturn-log')).body)
  expect(await verify('--heads', good, forged)).toMatchObject({
    code: 2,
    text: expect.stringContaining('Not proven: different keys signed the two heads'),
  })
  // A log that moved is one history under two names.
  const { publicUrl } = server.deps.config
  server.deps.config.publicUrl = new URL('https://moved.example')
  onTestFinished(() => {
    server.deps.config.publicUrl = publicUrl
  })
  await append(1)
  const moved = save('moved.txt', await readCheckpoint())
  const newKeys = save('moved-keys.json', (await get('/.well-known/keyturn-log')).body)
  const growth = save('moved-growth.json', (await get(`/log/consistency/${size}`)).body)
  expect(await verify('--keys', newKeys, '--keys', growth, '--heads', ours, moved)).toMatchObject({ code: 0 })
})

test('does not compare heads that no known key has signed', async () => {
  const checkpoint = await readCheckpoint()
  const good = save('good.txt', checkpoint)
  const keys = save('keys.json', (await get('/.well-known/keyturn-log')).body)
  const altered = save('altered.txt', checkpoint.replace(/\n\d+\n/, '\n5\n'))
  expect(await verify('--keys', keys, '--heads', good, altered)).toMatchObject({
    code: 2,
    text: expect.stringContaining('altered.txt: not a head'),
  })
  expect((await verify('--heads', good, good)).code).toBe(2)
  const json = save('head.json', (await get('/.well-known/keyturn-log')).body)
  expect(await verify('--heads', json, json)).toMatchObject({
    code: 0,
    text: expect.stringContaining('The keys come from the heads themselves'),
  })
})
