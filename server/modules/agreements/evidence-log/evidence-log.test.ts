import * as calls from '@keyturn/contract/agreements/evidence-log.ts'
import {
  areBytesEqual,
  isConsistent,
  leafHash,
  rootFromInclusion,
} from '@keyturn/contract/shared/crypto/merkle.ts'
import { expect, test } from 'vitest'
import { aSaleAt, signAsBuyer } from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { sha256 } from '../evidence-hashes.ts'
import { verifyNote } from './head-key.ts'
import { findLogFaults } from './verify-log.ts'

// All requests come from a stranger without a session: the log is public.

const server = await startTestServer()
const stranger = server.browser()
const readLog = () => stranger.ask(calls.readEvidenceLog)
const bytes = (base64: string) => Buffer.from(base64, 'base64')

const isSigned = async (head: { note: string } | null, verifiers: readonly string[]) =>
  (await verifyNote(verifiers, head?.note ?? '')) !== null

const emptyLog = await readLog()
await aSaleAt(server, 'passed')

test('returns no head before the first signature', () => {
  expect(emptyLog).toMatchObject({ head: null, witnesses: [] })
})

// R-deals-63
test('includes each signature and package, which a signed head proves', async () => {
  const { head, keys } = await readLog()
  expect(head?.size).toBe(3)
  expect(await isSigned(head, keys)).toBe(true)
  const rows = await server.query<{ kind: 'signature' | 'package'; digest: Buffer }>(
    'select kind, digest from log_leaves order by place',
  )
  expect(rows.map(({ kind }) => kind)).toEqual(['signature', 'signature', 'package'])
  const signed = await server.query<{ hash: Buffer }>('select hash from signatures order by number')
  expect(rows.slice(0, 2).map(({ digest }) => digest)).toEqual(signed.map(({ hash }) => hash))
  for (const [at, { kind, digest }] of rows.entries()) {
    const hex = digest.toString('hex')
    const found = await stranger.ask(calls.proveLogInclusion, { params: { digest: hex } })
    expect(found).toMatchObject({ kind, place: at, head })
    const leaf = leafHash(sha256, Buffer.from(`keyturn ${kind} ${hex}`))
    const { place: index, proof, head: proved } = found
    const root = rootFromInclusion(sha256, { leaf, index, size: proved.size, proof: proof.map(bytes) })
    expect(root && areBytesEqual(root, bytes(proved.root))).toBe(true)
  }
})

test('proves to somebody with an older head that the log has only grown', async () => {
  const { head: older } = await readLog()
  await aSaleAt(server, 'passed')
  if (!older) throw new Error('No head')
  const { proof, head } = await stranger.ask(calls.proveLogConsistency, {
    params: { size: String(older.size) },
  })
  expect(head.size).toBe(older.size + 3)
  const endOf = ({ size, root }: { size: number; root: string }) => ({ size, root: bytes(root) })
  expect(isConsistent(sha256, endOf(older), endOf(head), proof.map(bytes))).toBe(true)
})

test('returns 404 for an unknown digest and for a size beyond the log', async () => {
  const { head } = await readLog()
  const unknown = { params: { digest: 'ab'.repeat(32) } }
  expect((await stranger.send(calls.proveLogInclusion, unknown)).status).toBe(404)
  const ahead = { params: { size: String((head?.size ?? 0) + 1) } }
  expect((await stranger.send(calls.proveLogConsistency, ahead)).status).toBe(404)
})

test('proves a row as soon as a head covers it, and returns 404 until then', async () => {
  const [leaf] = await server.query<{ digest: Buffer }>(
    'select digest from log_leaves order by place desc limit 1',
  )
  const ask = () =>
    stranger.send(calls.proveLogInclusion, { params: { digest: leaf?.digest.toString('hex') ?? '' } })
  const newest = 'where size = (select max(size) from log_heads)'
  await server.query(`alter table log_heads disable trigger user; create table away as select * from log_heads ${newest};
    delete from log_heads ${newest}`)
  expect((await ask()).status).toBe(404)
  await server.query(`insert into log_heads select * from away; alter table log_heads enable trigger user`)
  expect((await ask()).status).toBe(200)
})

test('orders concurrent signatures without gaps', async () => {
  const sales = await Promise.all(Array.from({ length: 4 }, () => aSaleAt(server, 'requested')))
  const { head: before } = await readLog()
  await Promise.all(sales.map((sale) => signAsBuyer(sale)))
  const { head } = await readLog()
  expect(head?.size).toBe((before?.size ?? 0) + 4)
  for await (const fault of findLogFaults(server.deps.db)) expect.fail(`${fault.table} ${fault.id}`)
})

test('signs with a new key after a key change, and publishes the old key for older heads', async () => {
  const { head: older } = await readLog()
  const { config } = server.deps
  const before = config.evidenceKey
  config.evidenceKey = 'another secret of at least 32 characters'
  await aSaleAt(server, 'sellerSigned')
  config.evidenceKey = before
  const { head, keys } = await readLog()
  // Each key has two forms, for signatures without and with a time.
  expect(keys).toHaveLength(4)
  for (const one of [older, head]) expect(await isSigned(one, keys)).toBe(true)
  expect(await isSigned(older, keys.slice(0, 2))).toBe(false)
})
