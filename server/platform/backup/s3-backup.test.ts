import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { startObjectStore } from '../../../tests/support/object-store.ts'
import { addPhoto } from '../../../tests/support/pictures.ts'
import { aListing } from '../../../tests/support/sales/deals.ts'
import { createTestFolder } from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { readHeadForBackup } from '../../modules/agreements/evidence-log/evidence-log.ts'
import { openStore } from '../storage/open-store.ts'
import { photoFileNames } from '../storage/picture-store.ts'
import { restorePhotos } from './backup-photos.ts'
import { makeBackup } from './make-backup.ts'

const s3 = await startObjectStore('first', 'second')
afterAll(s3.close)

// R-everywhere-47
test('backs up photos of an object store and restores them into another one', async () => {
  const server = await startTestServer({ ...s3.settings, S3_BUCKET: 'first' })
  const { seller, car } = await aListing(server)
  const { photo } = (await addPhoto(seller, car)).answer
  const { pool, pictures, config } = server.deps
  const { path, manifest } = await makeBackup(
    { pool, photos: pictures, config, readHead: readHeadForBackup },
    createTestFolder(),
  )
  expect(manifest.missing).toEqual([])
  const lies = join(path, 'photos', photo.id.slice(0, 2), photo.id)
  expect(readdirSync(lies).sort()).toEqual(photoFileNames(photo).sort())
  const other = openStore({
    dataDir: createTestFolder(),
    s3: config.s3 && { ...config.s3, bucket: 'second' },
  })
  expect(await restorePhotos(other, path)).toBe(1)
  for (const name of photoFileNames(photo)) {
    const file = await other.store.open(photo.id, name)
    expect(file && (await buffer(file.bytes))).toEqual(await readFile(join(lies, name)))
  }
  await other.close()

  // A photo missing from the store is listed and does not prevent the backup.
  await pictures.store.drop(photo.id, photoFileNames(photo))
  const lacking = await makeBackup(
    { pool, photos: pictures, config, readHead: readHeadForBackup },
    createTestFolder(),
  )
  expect(lacking.manifest.missing).toHaveLength(photoFileNames(photo).length)
})
