import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { startObjectStore } from '../../../tests/support/object-store.ts'
import { aSignedDeal, readStoredPdfs } from '../../../tests/support/sales/signed-deals.ts'
import { createTestFolder, runCommand } from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { readAgreementPdf } from '../../modules/agreements/agreement-pdf-store.ts'
import { readHeadForBackup } from '../../modules/agreements/evidence-log/evidence-log.ts'
import { openStore } from '../storage/open-store.ts'
import { restoreDocuments } from './backup-documents.ts'
import { makeBackup } from './make-backup.ts'

const s3 = await startObjectStore('first', 'second')
afterAll(s3.close)

const inBackup = (path: string, digest: Buffer) => {
  const name = digest.toString('hex')
  return join(path, 'documents', name.slice(0, 2), name)
}

// R-everywhere-47, R-everywhere-75
test('backs up sealed agreements of an object store and restores them into another one', async () => {
  const server = await startTestServer({ ...s3.settings, S3_BUCKET: 'first' })
  const { pkgId } = await aSignedDeal(server)
  const { bytes, digest } = await readAgreementPdf(server.deps, pkgId)
  const [name, pdf] = [digest.toString('hex'), Buffer.from(bytes)]
  const { pool, pictures, config } = server.deps
  const parent = createTestFolder()
  const backUp = () => makeBackup({ pool, photos: pictures, config, readHead: readHeadForBackup }, parent)
  const first = await backUp()
  expect([first.manifest.documents, first.manifest.missing]).toEqual([{ files: 1, bytes: pdf.length }, []])
  expect(readFileSync(inBackup(first.path, digest)).equals(pdf)).toBe(true)

  const s3Config = config.s3 && { ...config.s3, bucket: 'second' }
  const other = openStore({ dataDir: createTestFolder(), s3: s3Config })
  expect(await restoreDocuments(other, first.path)).toBe(1)
  const restored = await other.documents.open(name)
  expect(restored && (await buffer(restored)).equals(pdf)).toBe(true)
  await other.close()

  // The previous backup still has what the store has lost.
  await pictures.documents.drop(name)
  const second = await backUp()
  expect(second.manifest.missing).toEqual([])
  expect(statSync(inBackup(second.path, digest)).ino).toBe(statSync(inBackup(first.path, digest)).ino)

  // An altered file counts as missing and does not prevent the backup.
  await pictures.documents.put(name, Buffer.from('another'))
  const lacking = await makeBackup(
    { pool, photos: pictures, config, readHead: readHeadForBackup },
    createTestFolder(),
  )
  expect(lacking.manifest.missing).toEqual([`documents/${name.slice(0, 2)}/${name}`])
})

// R-everywhere-75
test('restores sealed agreements into a folder, where they verify and a later backup finds them', async () => {
  const server = await startTestServer()
  const { pkgId } = await aSignedDeal(server)
  await readAgreementPdf(server.deps, pkgId)
  const [stored] = await readStoredPdfs(server, pkgId)
  const { pool, pictures, config } = server.deps
  const { path } = await makeBackup(
    { pool, photos: pictures, config, readHead: readHeadForBackup },
    createTestFolder(),
  )
  const into = join(createTestFolder(), 'new')
  const told = await runCommand('restore', {}, path, '--into', into)
  expect(told, told.err).toMatchObject({ code: 0, err: '' })
  expect(told.out).toContain('Agreements: 1')
  expect(told.out).toContain('Everything is as it was written.')
  const restored = openStore({ dataDir: into, s3: null })
  const file = await restored.documents.open(stored?.digest.toString('hex') ?? '')
  expect(file && (await buffer(file)).equals(stored?.bytes ?? Buffer.alloc(0))).toBe(true)
})
