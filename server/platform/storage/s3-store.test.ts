import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deleteCarPhoto, readPublicCar } from '@keyturn/contract/cars/endpoints.ts'
import { photoAddress, photoWidths } from '@keyturn/contract/shared/photo-files.ts'
import S3rver from 's3rver'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { addPhoto, aPicture } from '../../../tests/support/pictures.ts'
import { aListing } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'
import { carPictureUse } from '../../modules/cars/repository.ts'
import { runDueJobs } from '../jobs/jobs.ts'
import { readDerivedFile, storeDerivedFile } from './derived-files.ts'
import { createPictures } from './pictures.ts'
import { pictureTasks } from './sweep-pictures.ts'

// Uses a real S3 server.

const directory = mkdtempSync(join(tmpdir(), 'keyturn-s3-'))
const s3 = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory,
  configureBuckets: [{ name: 'cars' }],
})

const { port } = await s3.run()
afterAll(async () => {
  await s3.close().catch(() => {})
  rmSync(directory, { recursive: true })
})

const server = await startTestServer({
  S3_BUCKET: 'cars',
  S3_ENDPOINT: `http://127.0.0.1:${port}`,
  S3_ACCESS_KEY_ID: 'S3RVER',
  S3_SECRET_ACCESS_KEY: 'S3RVER',
})

const objects = () =>
  readdirSync(join(directory, 'cars'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /_object$/.test(name),
  )

test('stores a photo only in the object store, where every process can serve it', async () => {
  const { seller, car } = await aListing(server)
  const { photo } = (await addPhoto(seller, car, await aPicture(700, 500))).answer
  expect(objects()).toHaveLength(photoWidths(photo).length * 2)
  expect(readdirSync(join(server.deps.config.dataDir, 'photos'))).toEqual(['incoming'])
  const pictures = createPictures(server.deps)
  const other = await buildApp({ ...server.deps, pictures }, new URL('./', import.meta.url))
  onTestFinished(async () => {
    await other.close()
    await pictures.close()
  })
  for (const app of [server.app, other]) {
    const { statusCode, headers, rawPayload } = await app.inject({ url: photoAddress(photo, 320, 'avif') })
    expect(statusCode).toBe(200)
    const caching = { 'cache-control': 'public, max-age=31536000, immutable' }
    expect(headers).toMatchObject({ 'content-type': 'image/avif', ...caching })
    expect(rawPayload.length).toBe(Number(headers['content-length']))
  }
  const none = await other.inject({ url: photoAddress({ id: 'ab'.repeat(32) }, 320, 'avif') })
  expect(none.statusCode).toBe(404)
})

test('removes a deleted photo from the object store', async () => {
  const { seller, car } = await aListing(server)
  const before = objects()
  const { photo } = (await addPhoto(seller, car)).answer
  await storeDerivedFile(server.deps, photo, 'preview', Buffer.from('made of it'))
  expect((await readDerivedFile(server.deps, photo, 'preview'))?.toString()).toBe('made of it')
  expect(objects()).toHaveLength(before.length + photoWidths(photo).length * 2 + 1)
  await seller.ask(deleteCarPhoto, { params: { carId: car._id, photoId: photo.id } })
  await runDueJobs(server.deps, pictureTasks(server.deps, [carPictureUse]))
  expect(objects()).toEqual(before)
})

test('returns 503 for an upload while the store is unavailable, and still shows the car', async () => {
  const { seller, car, at } = await aListing(server)
  const { photo } = (await addPhoto(seller, car)).answer
  await s3.close()
  const refused = await addPhoto(seller, car)
  expect([refused.status, refused.error.errorCode]).toEqual([503, 'Unavailable'])
  expect((await server.app.inject({ url: photoAddress(photo, photo.width, 'jpg') })).statusCode).toBe(503)
  const page = await server.browser().ask(readPublicCar, { params: at })
  expect(page.car.photos).toEqual([photo])
})
