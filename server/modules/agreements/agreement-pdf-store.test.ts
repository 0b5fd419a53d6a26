import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { completeDeal, deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { expect, test } from 'vitest'
import type { Browser } from '../../../tests/support/browser.ts'
import { anAdministrator } from '../../../tests/support/people.ts'
import { aSignedDeal, readStoredPdfs, requestPdf } from '../../../tests/support/sales/signed-deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { leaseSeconds } from '../../platform/jobs/job-repository.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { saleTasks } from '../../tasks.ts'
import { readAgreementPdf } from './agreement-pdf-store.ts'
import { defaultCallerTimeoutMs, printerLimits } from './pdf/pdf-printer.ts'

const server = await startTestServer()

const storedPdfs = (pkgId: string) => readStoredPdfs(server, pkgId)

async function download(reader: Browser, pkgId: string, query = ''): Promise<Buffer> {
  const response = await requestPdf(server, reader, pkgId, query)
  expect(response.statusCode).toBe(200)
  return response.rawPayload
}

// R-deals-64
test('queues the rendering with the second signature and always serves those bytes', async () => {
  const { pkgId, seller, buyer } = await aSignedDeal(server)
  expect(await server.query('select payload from jobs where name = $1', ['keep-agreement'])).toEqual([
    { payload: { packageId: pkgId } },
  ])
  await runDueJobs(server.deps, saleTasks(server.deps))
  const stored = await storedPdfs(pkgId)
  expect(stored.map(({ size }) => size)).toEqual(['Letter'])
  const { bytes = Buffer.alloc(0), digest } = stored[0] ?? {}
  expect(digest).toEqual(createHash('sha256').update(bytes).digest())
  const administrator = await anAdministrator(server)
  expect((await download(seller, pkgId)).equals(bytes)).toBe(true)
  await administrator.ask(completeDeal, { params: { pkgId } })
  await seller.ask(deleteUser, { params: { userType: 'SELLER', id: seller.id } })
  for (const reader of [buyer, administrator])
    expect((await download(reader, pkgId)).equals(bytes)).toBe(true)
  expect(await storedPdfs(pkgId)).toHaveLength(1)
})

// R-deals-64
test('stores an A4 copy, or a copy that is read before the job has run, on first use', async () => {
  const { pkgId, buyer } = await aSignedDeal(server)
  const a4 = await download(buyer, pkgId, '?size=A4')
  const letter = await download(buyer, pkgId)
  expect(a4.toString('latin1')).toContain('/MediaBox [0 0 595.28 841.89]')
  expect(letter.toString('latin1')).toContain('/MediaBox [0 0 612 792]')
  await runDueJobs(server.deps, saleTasks(server.deps))
  const stored = await storedPdfs(pkgId)
  expect(stored.map(({ size }) => size)).toEqual(['A4', 'Letter'])
  expect(stored.map(({ bytes }) => bytes)).toEqual([a4, letter])
  expect(await download(buyer, pkgId, '?size=A4')).toEqual(a4)
})

// R-deals-64
test('returns the copy that was stored first when two servers render concurrently', async () => {
  const { pkgId } = await aSignedDeal(server)
  let rendered = 0
  const events = new EventEmitter()
  const bothHaveRendered = once(events, 'both have rendered')
  const aPrinter = () => ({
    print: async () => {
      const number = ++rendered
      if (number === 2) events.emit('both have rendered')
      await bothHaveRendered
      const bytes = Uint8Array.from(Buffer.from(`PDF ${number}`))
      return { bytes, certificate: Uint8Array.from([number]) }
    },
  })
  const render = () => readAgreementPdf({ ...server.deps, printer: aPrinter() }, pkgId)
  const [one, other] = await Promise.all([render(), render()])
  expect(rendered).toBe(2)
  expect(one).toEqual(other)
  expect((await storedPdfs(pkgId)).map(({ bytes }) => bytes)).toEqual([Buffer.from(one.bytes)])
})

test('shares one rendering among concurrent callers, and renders again after a failure', async () => {
  const { pkgId } = await aSignedDeal(server)
  const rendered: string[] = []
  const printer = {
    print: async (_: unknown, reader: string) => {
      rendered.push(reader)
      if (rendered.length === 1) throw apiErrors.Unavailable()
      return { bytes: Uint8Array.from([rendered.length]), certificate: Uint8Array.from([9]) }
    },
  }
  const render = (reader: string) => readAgreementPdf({ ...server.deps, printer }, pkgId, { reader })
  const outcomes = await Promise.allSettled(['job', 'delivery', 'letter'].map(render))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  const copies = await Promise.all(['job', 'delivery', 'letter'].map(render))
  expect(rendered).toHaveLength(2)
  expect(new Set(copies.map(({ digest }) => digest.toString('hex'))).size).toBe(1)
})

// R-deals-64
test('throws AgreementBeingDrawn when a reader has waited too long, but finishes the rendering', async () => {
  const { pkgId } = await aSignedDeal(server)
  let rendered = 0
  const events = new EventEmitter()
  const free = once(events, 'free')
  const printer = {
    callerTimeoutMs: 50,
    print: async () => {
      rendered++
      await free
      return { bytes: Uint8Array.from([7]), certificate: Uint8Array.from([8]) }
    },
  }
  const deps = { ...server.deps, printer }
  const job = readAgreementPdf(deps, pkgId)
  await expect(readAgreementPdf(deps, pkgId, { isCallerWaiting: true })).rejects.toMatchObject({
    code: 'AgreementBeingDrawn',
    status: 503,
    retryAfterSeconds: 15,
  })
  printer.callerTimeoutMs = 200_000
  events.emit('free')
  const [stored, asked] = await Promise.all([job, readAgreementPdf(deps, pkgId, { isCallerWaiting: true })])
  expect([rendered, asked]).toEqual([1, stored])
  expect(await storedPdfs(pkgId)).toHaveLength(1)
})

test('renders and sends within a job’s lease', () => {
  const { maxWaitMs, maxRunMs } = printerLimits
  expect(maxWaitMs + maxRunMs + maxSendMs).toBeLessThan(leaseSeconds * 1000)

  expect(defaultCallerTimeoutMs).toBeLessThan(20_000)
})
/** The timeout of a silent mail server; that of a dealer's system is shorter. */
const maxSendMs = 20_000

test('throws NotFound for an unknown package', async () => {
  await expect(readAgreementPdf(server.deps, 'a'.repeat(24))).rejects.toMatchObject({ status: 404 })
})
