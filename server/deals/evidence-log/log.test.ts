import { createHash, createPublicKey, verify } from 'node:crypto'
import type { evidenceLog } from '@keyturn/contract/deals/evidence-log.ts'
import * as calls from '@keyturn/contract/deals/evidence-log.ts'
import type { Answer } from '@keyturn/contract/kit/call.ts'
import { isConsistent, isSame, leafHash, rootFromInclusion } from '@keyturn/contract/kit/merkle.ts'
import { expect, test } from 'vitest'
import { aSaleAt, signAsBuyer } from '../../test/deals.ts'
import { openHouse } from '../../test/house.ts'
import { sha256 } from './log.ts'
import { findLogFaults } from './verify-log.ts'

// Everybody here is a stranger without a session, who has nothing but what the log answers.

const house = await openHouse()
const stranger = house.browser()
const readLog = () => stranger.ask(calls.evidenceLog)
const bytes = (base64: string) => Buffer.from(base64, 'base64')

const untouched = await readLog()
await aSaleAt(house, 'passed')

test('before anything is signed there is no head', () => {
  expect(untouched).toEqual({ head: null, keys: [] })
})

// R-deals-63
test('each signature and each package is in the log, and a signed head proves it', async () => {
  const { head, keys } = await readLog()
  expect(head?.size).toBe(3)
  expect(isSigned(head, keys)).toBe(true)
  const rows = await house.query<{ kind: 'signature' | 'package'; digest: Buffer }>(
    'select kind, digest from log_leaves order by place',
  )
  expect(rows.map(({ kind }) => kind)).toEqual(['signature', 'signature', 'package'])
  const signed = await house.query<{ hash: Buffer }>('select hash from signatures order by number')
  expect(rows.slice(0, 2).map(({ digest }) => digest)).toEqual(signed.map(({ hash }) => hash))
  for (const [at, { kind, digest }] of rows.entries()) {
    const hex = digest.toString('hex')
    const found = await stranger.ask(calls.logInclusion, { params: { digest: hex } })
    expect(found).toMatchObject({ kind, place: at, head })
    const leaf = leafHash(sha256, Buffer.from(`keyturn ${kind} ${hex}`))
    const { place: index, proof, head: proved } = found
    const root = rootFromInclusion(sha256, { leaf, index, size: proved.size, proof: proof.map(bytes) })
    expect(root && isSame(root, bytes(proved.root))).toBe(true)
  }
})

test('whoever kept an older head can prove that the log has only grown', async () => {
  const { head: older } = await readLog()
  await aSaleAt(house, 'passed')
  if (!older) throw new Error('No head')
  const { proof, head } = await stranger.ask(calls.logConsistency, { params: { size: String(older.size) } })
  expect(head.size).toBe(older.size + 3)
  const endOf = ({ size, root }: { size: number; root: string }) => ({ size, root: bytes(root) })
  expect(isConsistent(sha256, endOf(older), endOf(head), proof.map(bytes))).toBe(true)
})

test('of what the log does not have it knows nothing', async () => {
  const { head } = await readLog()
  const unknown = { params: { digest: 'ab'.repeat(32) } }
  expect((await stranger.send(calls.logInclusion, unknown)).status).toBe(404)
  const ahead = { params: { size: String((head?.size ?? 0) + 1) } }
  expect((await stranger.send(calls.logConsistency, ahead)).status).toBe(404)
})

test('a row that is in the log already and in no head yet is proven by the next head', async () => {
  const [leaf] = await house.query<{ digest: Buffer }>(
    'select digest from log_leaves order by place desc limit 1',
  )
  const ask = () =>
    stranger.send(calls.logInclusion, { params: { digest: leaf?.digest.toString('hex') ?? '' } })
  await rewriting('log_heads', async () => {
    const [head] = await house.query(
      'delete from log_heads where size = (select max(size) from log_heads) returning size, root, key_id, note',
    )
    expect((await ask()).status).toBe(404)
    await house.query(
      'insert into log_heads (size, root, key_id, note) values ($1, $2, $3, $4)',
      Object.values(head ?? {}),
    )
  })
  expect((await ask()).status).toBe(200)
})

test('those who sign at once stand one behind the other, without a gap', async () => {
  const sales = await Promise.all(Array.from({ length: 4 }, () => aSaleAt(house, 'requested')))
  const { head: before } = await readLog()
  await Promise.all(sales.map((sale) => signAsBuyer(sale)))
  const { head } = await readLog()
  expect(head?.size).toBe((before?.size ?? 0) + 4)
  expect(await findLogFaults(house.deps.db)).toEqual([])
})

test('another key signs from then on, and what the former one signed is still verified', async () => {
  const { head: older } = await readLog()
  const { config } = house.deps
  const before = config.evidenceKey
  config.evidenceKey = 'another secret of at least 32 characters'
  await aSaleAt(house, 'sellerSigned')
  config.evidenceKey = before
  const { head, keys } = await readLog()
  expect(keys).toHaveLength(2)
  for (const one of [older, head]) expect(isSigned(one, keys)).toBe(true)
  expect(isSigned(older, keys.slice(0, 1))).toBe(false)
})

test.each([
  ['signatures', 'hash', `sha256('another')`, 'number = (select max(number) from signatures)'],
  ['packages', 'contents', `contents || '{"price": 1}'`, 'id = (select min(id) from packages)'],
  ['log_leaves', 'digest', `sha256('another')`, 'place = 1'],
  ['log_leaves', 'row_id', `repeat('a', 24)`, 'place = 1'],
  ['log_nodes', 'hash', `sha256('another')`, 'level = 1 and place = 0'],
  ['log_heads', 'root', `sha256('another')`, 'size = 3'],
  ['log_heads', 'note', `replace(note, 'log', 'lag')`, 'size = 3'],
  // Its signature, and nothing of what is signed.
  ['log_heads', 'note', `overlay(note placing 'AAAA' from length(note) - 40)`, 'size = 3'],
])('a row of %s whose %s was changed is named', async (table, column, to, which) => {
  await rewriting(table, async () => {
    const [row] = await house.query<{ kept: unknown }>(
      `select ${column} as kept from ${table} where ${which}`,
    )
    await house.query(`update ${table} set ${column} = ${to} where ${which}`)
    expect((await findLogFaults(house.deps.db)).map((fault) => fault.table)).toContain(
      // What a signature says of itself is its own evidence; the log knows by what it was logged with.
      table === 'signatures' || table === 'packages' ? 'log_leaves' : table,
    )
    await house.query(`update ${table} set ${column} = $1 where ${which}`, [row?.kept])
  })
  expect(await findLogFaults(house.deps.db)).toEqual([])
})

test('a row that was taken away, and two that changed places, are named', async () => {
  const [last] = await house.query<{ place: string }>('select max(place) as place from log_leaves')
  await rewriting('log_leaves', async () => {
    const [row] = await house.query('delete from log_leaves where place = $1 returning *', [last?.place])
    const own = { table: `${row?.kind}s`, id: row?.row_id }
    expect(await findLogFaults(house.deps.db)).toContainEqual(own)
    await house.query(
      'insert into log_leaves (place, kind, row_id, digest) values ($1, $2, $3, $4)',
      Object.values(row ?? {}).slice(0, 4),
    )
    const swap = () =>
      house.query(`
        update log_leaves set place = place + 1000 where place < 2;
        update log_leaves set place = 1001 - place + 0 where place in (1000, 1001)`)
    await swap()
    expect(await findLogFaults(house.deps.db)).not.toEqual([])
    await swap()
    // One of another kind is no leaf of its row.
    const kindIs = `update log_leaves set kind = $1 where place = $2`
    await house.query(kindIs, [row?.kind === 'package' ? 'signature' : 'package', last?.place])
    expect(await findLogFaults(house.deps.db)).toContainEqual(own)
    await house.query(kindIs, [row?.kind, last?.place])
  })
  expect(await findLogFaults(house.deps.db)).toEqual([])
})

/** As whoever owns the database can. */
async function rewriting(table: string, work: () => Promise<void>): Promise<void> {
  await house.query(`alter table ${table} disable trigger user`)
  await work()
  await house.query(`alter table ${table} enable trigger user`)
}

/** As any verifier of signed notes does it, from the published key alone. */
function isSigned(head: Answer<typeof evidenceLog>['head'], verifiers: readonly string[]): boolean {
  const [text = '', signatures = ''] = (head?.note ?? '').split('\n\n')
  return verifiers.some((verifier) => {
    const [name = '', id = '', key = ''] = verifier
      .split('+', 2)
      .concat(verifier.split('+').slice(2).join('+'))
    const raw = bytes(key)
    const expected = createHash('sha256').update(`${name}\n`).update(raw).digest('hex').slice(0, 8)
    const [, line = ''] = /^— (.*)$/m.exec(signatures) ?? []
    const signature = bytes(line.slice(name.length + 1))
    const publicKey = createPublicKey({
      key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw.subarray(1)]),
      format: 'der',
      type: 'spki',
    })
    return (
      id === expected &&
      line.startsWith(`${name} `) &&
      signature.subarray(0, 4).toString('hex') === id &&
      verify(null, Buffer.from(`${text}\n`), publicKey, signature.subarray(4))
    )
  })
}
