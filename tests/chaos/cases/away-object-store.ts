import { setTimeout as wait } from 'node:timers/promises'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { openObjectStore } from '../../support/object-store.ts'
import { whileSelling } from '../case.ts'
import { countMissing } from '../photos.ts'

const awayMs = 4000

/**
 * The object store stops and returns. Sales without uploads continue, and each accepted photo is
 * complete.
 */
export const awayObjectStore = whileSelling('object store away', async (stage) => {
  const { pool } = stage.ground.database
  const store = await openObjectStore('cars')
  stage.atEnd(store.close)
  const { server } = await stage.open({
    settings: { ...store.settings, S3_BUCKET: 'cars' },
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
    await store.goAway()
    const ready = await server.time('/health/ready', 10_000)
    if (ready.status !== 200) stage.broken.push(`ready said ${ready.status} without the object store`)
    await wait(awayMs)
    await store.comeBack()
  })
  await wait(1500)
})
