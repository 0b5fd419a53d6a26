import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Photo } from '@keyturn/contract/kit/photo.ts'
import { type PhotoFormat, photoAddress, photoFormats, widthsOf } from '@keyturn/contract/kit/photo-files.ts'
import S3rver from 's3rver'
import { type Ground, startCrowd } from '../ground.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

const bucket = 'cars'
const awayMs = 4000

/** The object store goes and comes back: whoever sends no photo sells on, and each photo that was taken is whole. */
export const awayObjectStore: Case = {
  name: 'object store away',
  async run(ground, rounds) {
    const directory = mkdtempSync(join(tmpdir(), 'keyturn-faults-'))
    let store = await openStore(directory, 0)
    const { port } = store
    const server = await startServer({
      ...ground.settings,
      S3_BUCKET: bucket,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    })
    const crowd = await startCrowd(ground, server.baseUrl, 6)
    const broken: string[] = []
    for (let round = 0; round < rounds; round++) {
      await wait(1500)
      await store.s3.close()
      const ready = await server.time('/health/ready', 10_000)
      if (ready.status !== 200) broken.push(`ready said ${ready.status} without the object store`)
      await wait(awayMs)
      store = await openStore(directory, port)
    }
    await wait(1500)
    const outcome = await crowd.settle()
    const missing = await countMissing(ground, server.baseUrl)
    const { code } = await server.end()
    if (code !== 0) broken.push(`SIGTERM ended it with ${code}`)
    await store.s3.close()
    rmSync(directory, { recursive: true, force: true })
    return {
      ...outcome,
      lost: outcome.lost + missing,
      rounds,
      recoveryMs: crowd.ledger.longestSilenceMs(),
      broken,
    }
  },
}

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

/** Of all photos that cars have, how many of their files nobody can see. */
async function countMissing({ database: { pool } }: Ground, baseUrl: string): Promise<number> {
  const { rows } = await pool.query<{ photo: Photo }>(
    'select jsonb_array_elements(photos) as photo from cars',
  )
  const paths = rows.flatMap(({ photo }) =>
    widthsOf(photo).flatMap((width) =>
      (Object.keys(photoFormats) as PhotoFormat[]).map((format) => photoAddress(photo, width, format)),
    ),
  )
  let missing = 0
  for (const path of paths) {
    const file = await fetch(new URL(path, baseUrl))
    if (file.status !== 200 || (await file.arrayBuffer()).byteLength === 0) missing++
  }
  return missing
}
