import { setTimeout as wait } from 'node:timers/promises'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { startObjectStore } from '../../support/object-store.ts'
import { defineCase } from '../case.ts'
import { countMissing } from '../photos.ts'

const downMs = 4000

/**
 * The object store stops and returns. Sales without uploads continue, and each accepted photo is
 * complete.
 */
export const objectStoreDown = defineCase('object store down', async (context) => {
  const { pool } = context.environment.database
  const store = await startObjectStore('cars')
  context.onCleanup(store.close)
  const { server } = await context.open({
    settings: { ...store.settings, S3_BUCKET: 'cars' },
    async onFinished(outcome, baseUrl) {
      const { rows } = await pool.query<{ photo: Photo }>(
        'select jsonb_array_elements(photos) as photo from cars',
      )
      const photos = rows.map(({ photo }) => photo)
      outcome.lost += await countMissing(baseUrl, photos)
    },
  })
  await context.eachRound(async () => {
    await wait(1500)
    await store.stop()
    const ready = await server.measure('/health/ready', 10_000)
    if (ready.status !== 200)
      context.violations.push(`ready responded ${ready.status} without the object store`)
    await wait(downMs)
    await store.restart()
  })
  await wait(1500)
})
