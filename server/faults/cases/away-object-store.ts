import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Photo } from '@keyturn/contract/kit/photo.ts'
import S3rver from 's3rver'
import { countMissing } from '../photos.ts'
import { whileSelling } from './case.ts'

const bucket = 'cars'
const awayMs = 4000

/** The object store goes and comes back: whoever sends no photo sells on, and each photo that was taken is whole. */
export const awayObjectStore = whileSelling('object store away', async (stage) => {
  const { pool } = stage.ground.database
  const directory = mkdtempSync(join(tmpdir(), 'keyturn-faults-'))
  let store = await openStore(directory, 0)
  stage.atEnd(() => rmSync(directory, { recursive: true, force: true }))
  stage.atEnd(() => store.s3.close())
  const { port } = store
  const { server } = await stage.open({
    settings: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async onSettled(outcome, baseUrl) {
      const { rows } = await pool.query<{ photo: Photo }>(
        'select jsonb_array_elements(photos) as photo from cars',
      )
      const photos = rows.map(({ photo }) => photo)
      outcome.lost += await countMissing(baseUrl, photos)
    },
  })
  await stage.eachRound(async () => {
    await wait(1500)
    await store.s3.close()
    const ready = await server.time('/health/ready', 10_000)
    if (ready.status !== 200) stage.broken.push(`ready said ${ready.status} without the object store`)
    await wait(awayMs)
    store = await openStore(directory, port)
  })
  await wait(1500)
})

async function openStore(directory: string, at: number) {
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: at,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await s3.run()
  return { s3, port }
}
