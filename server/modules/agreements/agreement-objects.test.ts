import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aSignedDeal, readStoredPdfs, requestPdf } from '../../../tests/support/sales/signed-deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { documentTasks, storeDocument } from '../../platform/storage/documents.ts'
import { readAgreementPdf } from './agreement-pdf-store.ts'
import { verifyDatabase } from './verification/verify-database.ts'

// Sealed agreements are files in the object store, named after their digest.

const server = await startTestServer()
const { deps, query } = server
const sale = await aSignedDeal(server)
const pdf = Buffer.from((await readAgreementPdf(deps, sale.pkgId)).bytes)
const digest = createHash('sha256').update(pdf).digest()
const name = digest.toString('hex')

const wrong = async () => {
  const lines: string[] = []
  await verifyDatabase(deps.db, deps.pictures, [], (line) => lines.push(line))
  return lines.filter((line) => line.startsWith('[WRONG]'))
}

// R-everywhere-73
test('stores the bytes in the object store alone, and their digest, size and time in the database', async () => {
  expect((await readStoredPdfs(server, sale.pkgId)).map(({ bytes }) => bytes.equals(pdf))).toEqual([true])
  const [row] = await query(
    'select digest, byte_count, sweep_after, stored_at <= keyturn_now() as past from documents',
  )
  expect(row).toEqual({ digest, byte_count: pdf.length, sweep_after: null, past: true })
})

// R-everywhere-73
test('reports an altered or a missing object, and never serves or draws it again', async () => {
  const path = join(deps.config.dataDir, 'photos', 'documents', name.slice(0, 2), name)
  const altered = Buffer.from(pdf)
  altered[2000] = (altered[2000] ?? 0) ^ 1
  const damages = [() => writeFileSync(path, altered), () => deps.pictures.documents.drop(name)]
  for (const damage of damages) {
    await damage()
    const response = await requestPdf(server, sale.buyer, sale.pkgId)
    expect([response.statusCode, response.json().errorCode]).toEqual([500, 'AgreementDamaged'])
    expect(await wrong()).toEqual([
      `[WRONG] agreement_pdfs ${sale.pkgId} Letter`,
      '[WRONG] every PDF is sealed and contains its package',
    ])
    await deps.pictures.documents.put(name, pdf)
  }
  expect(await wrong()).toEqual([])
  expect((await requestPdf(server, sale.buyer, sale.pkgId)).rawPayload.equals(pdf)).toBe(true)
  expect(await query('select from agreement_pdfs')).toHaveLength(1)
})

// R-everywhere-73
test('returns 503 while the object store is unavailable', async () => {
  const documents = { ...deps.pictures.documents, open: () => Promise.reject(new Error('no route')) }
  const reading = readAgreementPdf({ ...deps, pictures: { ...deps.pictures, documents } }, sale.pkgId)
  await expect(reading).rejects.toMatchObject({ status: 503 })
})

// R-everywhere-74
test('sweeps an object without a row after a day, and no other', async () => {
  const orphan = Buffer.from('never referred to')
  const orphanDigest = createHash('sha256').update(orphan).digest()
  const fail = () => Promise.reject(new Error('the transaction fails'))
  const storing = storeDocument(deps, { bytes: orphan, digest: orphanDigest, addReference: fail })
  await expect(storing).rejects.toThrow('the transaction fails')
  const exists = async () =>
    Promise.all(
      [orphanDigest, digest].map(async (one) => {
        const file = await deps.pictures.documents.open(one.toString('hex'))
        file?.destroy()
        return file !== null
      }),
    )
  await server.moveClock('23 hours 59 minutes')
  await runDueJobs(deps, documentTasks(deps))
  expect(await exists()).toEqual([true, true])
  await server.moveClock('25 hours')
  await runDueJobs(deps, documentTasks(deps))
  expect(await exists()).toEqual([false, true])
  await server.moveClock('0')
  expect(await query('select digest from documents')).toEqual([{ digest }])
})

// R-everywhere-74
test('refuses to release or delete a document that evidence refers to', async () => {
  for (const statement of ['delete from documents', 'update documents set sweep_after = now()'])
    await expect(query(statement)).rejects.toThrow('a document of evidence stays')
})

// R-everywhere-73
test('stores the bytes in the row until no older server runs, and reads such rows afterwards', async () => {
  const upgraded = await startTestServer()
  await upgraded.query('alter table agreement_pdfs alter column bytes set not null')
  const { pkgId } = await aSignedDeal(upgraded)
  const { bytes } = await readAgreementPdf(upgraded.deps, pkgId)
  const stored = await upgraded.query<{ bytes: Buffer }>('select bytes from agreement_pdfs')
  expect(stored.map((row) => row.bytes.equals(Buffer.from(bytes)))).toEqual([true])
  expect(await upgraded.query('select from documents')).toEqual([])
  await upgraded.query('alter table agreement_pdfs alter column bytes drop not null')
  expect((await readAgreementPdf(upgraded.deps, pkgId)).bytes).toEqual(bytes)
  await readAgreementPdf(upgraded.deps, pkgId, { size: 'A4' })
  expect(await upgraded.query('select from documents')).toHaveLength(1)
})
