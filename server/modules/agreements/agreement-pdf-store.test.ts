import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { PaperSize } from '@keyturn/contract/agreements/endpoints.ts'
import { completeDeal, deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { expect, test } from 'vitest'
import type { Browser } from '../../../tests/support/browser.ts'
import { anAdministrator } from '../../../tests/support/people.ts'
import { aSignedDeal, sendPdf } from '../../../tests/support/sales/signed-deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { saleJobs } from '../../jobs.ts'
import { leaseSeconds } from '../../platform/jobs/job-repository.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { signedPdfOf } from './agreement-pdf-store.ts'
import { printerLimits, usualAskersWaitMs } from './pdf/pdf-printer.ts'

const house = await startTestServer()

const keptOf = (pkgId: string) =>
  house.query<{ size: PaperSize; bytes: Buffer; digest: Buffer }>(
    'select size, bytes, digest from agreement_pdfs where package_id = $1 order by made_at',
    [pkgId],
  )

async function download(reader: Browser, pkgId: string, query = ''): Promise<Buffer> {
  const response = await sendPdf(house, reader, pkgId, query)
  expect(response.statusCode).toBe(200)
  return response.rawPayload
}

// R-deals-64
test('once both have signed the PDF is made by a job of the same commit, and everybody is given those bytes ever after', async () => {
  const { pkgId, seller, buyer } = await aSignedDeal(house)
  expect(await house.query('select payload from jobs where name = $1', ['keep-agreement'])).toEqual([
    { payload: { packageId: pkgId } },
  ])
  await runDueJobs(house.deps, saleJobs(house.deps))
  const kept = await keptOf(pkgId)
  expect(kept.map(({ size }) => size)).toEqual(['Letter'])
  const { bytes = Buffer.alloc(0), digest } = kept[0] ?? {}
  expect(digest).toEqual(createHash('sha256').update(bytes).digest())
  const administrator = await anAdministrator(house)
  expect((await download(seller, pkgId)).equals(bytes)).toBe(true)
  await administrator.ask(completeDeal, { params: { pkgId } })
  await seller.ask(deleteUser, { params: { userType: 'SELLER', id: seller.id } })
  for (const reader of [buyer, administrator])
    expect((await download(reader, pkgId)).equals(bytes)).toBe(true)
  expect(await keptOf(pkgId)).toHaveLength(1)
})

// R-deals-64
test('who asks for A4, or before the job has run, is given what is kept from then on', async () => {
  const { pkgId, buyer } = await aSignedDeal(house)
  const a4 = await download(buyer, pkgId, '?size=A4')
  const letter = await download(buyer, pkgId)
  expect(a4.toString('latin1')).toContain('/MediaBox [0 0 595.28 841.89]')
  expect(letter.toString('latin1')).toContain('/MediaBox [0 0 612 792]')
  await runDueJobs(house.deps, saleJobs(house.deps))
  const kept = await keptOf(pkgId)
  expect(kept.map(({ size }) => size)).toEqual(['A4', 'Letter'])
  expect(kept.map(({ bytes }) => bytes)).toEqual([a4, letter])
  expect(await download(buyer, pkgId, '?size=A4')).toEqual(a4)
})

// R-deals-64
test('of two servers that make it at the same moment both are given what was kept first', async () => {
  const { pkgId } = await aSignedDeal(house)
  let drawn = 0
  const events = new EventEmitter()
  const bothHaveDrawn = once(events, 'both have drawn')
  const aPrinter = () => ({
    print: async () => {
      const number = ++drawn
      if (number === 2) events.emit('both have drawn')
      await bothHaveDrawn
      const bytes = Uint8Array.from(Buffer.from(`PDF ${number}`))
      return { bytes, certificate: Uint8Array.from([number]) }
    },
  })
  const make = () => signedPdfOf({ ...house.deps, printer: aPrinter() }, pkgId)
  const [one, other] = await Promise.all([make(), make()])
  expect(drawn).toBe(2)
  expect(one).toEqual(other)
  expect((await keptOf(pkgId)).map(({ bytes }) => bytes)).toEqual([Buffer.from(one.bytes)])
})

test('whoever asks while it is drawn waits for the same, and after a fault it is drawn anew', async () => {
  const { pkgId } = await aSignedDeal(house)
  const drawn: string[] = []
  const printer = {
    print: async (_: unknown, reader: string) => {
      drawn.push(reader)
      if (drawn.length === 1) throw apiErrors.Unavailable()
      return { bytes: Uint8Array.from([drawn.length]), certificate: Uint8Array.from([9]) }
    },
  }
  const make = (reader: string) => signedPdfOf({ ...house.deps, printer }, pkgId, { reader })
  const outcomes = await Promise.allSettled(['job', 'delivery', 'letter'].map(make))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  const made = await Promise.all(['job', 'delivery', 'letter'].map(make))
  expect(drawn).toHaveLength(2)
  expect(new Set(made.map(({ digest }) => digest.toString('hex'))).size).toBe(1)
})

// R-deals-64
test('who waits for it is told in time, by name, and finds it drawn once when they ask again', async () => {
  const { pkgId } = await aSignedDeal(house)
  let drawn = 0
  const events = new EventEmitter()
  const free = once(events, 'free')
  const printer = {
    callerTimeoutMs: 50,
    print: async () => {
      drawn++
      await free
      return { bytes: Uint8Array.from([7]), certificate: Uint8Array.from([8]) }
    },
  }
  const deps = { ...house.deps, printer }
  const job = signedPdfOf(deps, pkgId)
  await expect(signedPdfOf(deps, pkgId, { isWaitedFor: true })).rejects.toMatchObject({
    code: 'AgreementBeingDrawn',
    status: 503,
    retryAfterSeconds: 15,
  })
  printer.callerTimeoutMs = 200_000
  events.emit('free')
  const [kept, asked] = await Promise.all([job, signedPdfOf(deps, pkgId, { isWaitedFor: true })])
  expect([drawn, asked]).toEqual([1, kept])
  expect(await keptOf(pkgId)).toHaveLength(1)
})

test('a job draws and sends before another process may take it', () => {
  const { maxWaitMs, maxRunMs } = printerLimits
  expect(maxWaitMs + maxRunMs + slowestSendingMs).toBeLessThan(leaseSeconds * 1000)
  // No longer than the papers that are not kept.
  expect(usualAskersWaitMs).toBeLessThan(20_000)
})

/** A mail server that says nothing, a dealer's system is given less. */
const slowestSendingMs = 20_000

test('of a package that is not there no PDF is made', async () => {
  await expect(signedPdfOf(house.deps, 'a'.repeat(24))).rejects.toMatchObject({ status: 404 })
})
