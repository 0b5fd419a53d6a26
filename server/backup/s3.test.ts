import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import { afterAll, expect, test } from 'vitest'
import { headToKeep } from '../deals/actions.ts'
import { openStore } from '../media/open-store.ts'
import { drawnNames } from '../media/picture-store.ts'
import { aListing } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { addPhoto } from '../test/pictures.ts'
import { aFolder } from '../test/start.ts'
import { makeBackup } from './make-backup.ts'
import { putPhotos } from './photos.ts'

const directory = mkdtempSync(join(tmpdir(), 'keyturn-s3-'))
const configureBuckets = [{ name: 'first' }, { name: 'second' }]
const s3 = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
const { port } = await s3.run()
afterAll(async () => {
  await s3.close()
  rmSync(directory, { recursive: true })
})

// R-everywhere-47
test('photos of an object store are in a backup, and go back into another one', async () => {
  const settings = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
  const house = await openHouse({ ...settings, S3_BUCKET: 'first' })
  const { seller, car } = await aListing(house)
  const { photo } = (await addPhoto(seller, car)).answer
  const { pool, pictures, config } = house.deps
  const { path, manifest } = await makeBackup(
    { pool, photos: pictures, config, headOf: headToKeep },
    aFolder(),
  )
  expect(manifest.missing).toEqual([])
  const lies = join(path, 'photos', photo.id.slice(0, 2), photo.id)
  expect(readdirSync(lies).sort()).toEqual(drawnNames(photo).sort())
  const other = openStore({ dataDir: aFolder(), s3: config.s3 && { ...config.s3, bucket: 'second' } })
  expect(await putPhotos(other, path)).toBe(1)
  for (const name of drawnNames(photo)) {
    const file = await other.store.open(photo.id, name)
    expect(file && (await buffer(file.bytes))).toEqual(await readFile(join(lies, name)))
  }
  await other.close()

  // One that the store has lost is named, and keeps nothing from being backed up.
  await pictures.store.drop(photo.id, drawnNames(photo))
  const lacking = await makeBackup({ pool, photos: pictures, config, headOf: headToKeep }, aFolder())
  expect(lacking.manifest.missing).toHaveLength(drawnNames(photo).length)
})
