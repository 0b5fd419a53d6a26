// @module-tag full

import { readdirSync } from 'node:fs'
import { deleteCarPhoto, updatePrice } from '@keyturn/contract/cars/endpoints.ts'
import { photoAddress, photoWidths } from '@keyturn/contract/shared/photo-files.ts'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { queryOnce } from '../../../tests/cluster/replacement.ts'
import { aSeller } from '../../../tests/support/people.ts'
import { addPhoto } from '../../../tests/support/pictures.ts'
import { aListing, aSaleAt } from '../../../tests/support/sales/deals.ts'
import {
  createTestFolder,
  runCommand,
  serverAddress,
  startServerProcess,
} from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { findRunningDatabase } from '../../integrations/embedded-postgres/find-running-database.ts'
import { dealPictureUse } from '../../modules/agreements/signed-photos.ts'
import { carPictureUse } from '../../modules/cars/repository.ts'
import { tradePictureUse } from '../../modules/trades/repository.ts'
import { saleTasks } from '../../tasks.ts'
import { runDueJobs } from '../jobs/jobs.ts'
import { pictureTasks } from '../storage/sweep-pictures.ts'

// Backs up a server under write load, restores it elsewhere, and serves from there.

const testServer = await startTestServer()
const tasks = {
  ...saleTasks(testServer.deps),
  ...pictureTasks(testServer.deps, [carPictureUse, tradePictureUse, dealPictureUse]),
}

const perhaps = { DATABASE_URL: testServer.databaseUrl, DATA_DIR: testServer.deps.config.dataDir }

/** Acknowledged changes of a car, in order. */
type Written = { userId: string; vin: string; prices: number[]; photos: Set<string>; dropped: Set<string> }

// R-everywhere-47
test('restores everything that was acknowledged before the backup, with photos and valid evidence', async () => {
  const ledger: Written[] = []
  const seller = await aSeller(testServer)
  await writeOne(ledger, seller)
  const before = await aSaleAt(testServer, 'passed')
  await runDueJobs(testServer.deps, tasks)
  for (let round = 0; round < 3; round++) await writeOne(ledger, seller)
  const acknowledged = structuredClone(ledger)

  const parent = createTestFolder()
  let isOver = false
  const backingUp = runCommand('backup', perhaps, parent).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await writeOne(ledger, seller)
    await runDueJobs(testServer.deps, tasks)
  }
  await aSaleAt(testServer, 'passed')
  const made = await backingUp
  expect(made, made.err).toMatchObject({ code: 0, err: '' })
  const backup = made.out.trim().split('\n').at(-1) ?? ''
  expect(readdirSync(parent).map((name) => `${parent}/${name}`)).toEqual([backup])

  const DATA_DIR = `${createTestFolder()}/restored`
  const restored = await runCommand('restore', perhaps, backup, '--into', DATA_DIR)
  expect(restored, restored.err).toMatchObject({ code: 0, err: '' })
  expect(restored.out).toContain('Everything is as it was written.')

  const server = startServerProcess({ DATA_DIR, PORT: '0', DEMO: '0' })
  await server.says('Keyturn is ready')
  expect(server.out()).toContain('npm run restore -- --release')
  const address = serverAddress(server)
  for (const car of acknowledged) {
    const all = ledger.find(({ vin }) => vin === car.vin) ?? car
    const { user, car: shown } = await pageOf(address, car)
    expect(user._id).toBe(car.userId)
    // Later changes may be missing.
    expect(all.prices.slice(car.prices.length - 1)).toContain(shown.price)
    const ids = shown.photos.map(({ id }) => id)
    for (const photo of car.photos) expect([...ids, ...all.dropped]).toContain(photo)
  }
  const rows = await rowsOf<{ id: string; width: number }>(
    DATA_DIR,
    'select id, width from pictures where sweep_after is null',
  )
  expect(rows.length).toBeGreaterThanOrEqual(acknowledged.length)
  for (const photo of rows)
    for (const width of photoWidths(photo))
      for (const format of ['avif', 'jpg'] as const)
        expect((await fetch(address + photoAddress(photo, width, format))).status).toBe(200)
  const signed = `select from signatures where deal_id = (select id from deals where car_id = '${before.car._id}')`
  expect(await rowsOf(DATA_DIR, signed)).toHaveLength(2)
})

type Seller = Awaited<ReturnType<typeof aSeller>>

/** Creates a car with two prices and two photos, and deletes the second photo. */
async function writeOne(ledger: Written[], seller: Seller): Promise<void> {
  const { car, at } = await aListing(testServer, {}, seller)
  const written: Written = { ...at, prices: [9500], photos: new Set(), dropped: new Set() }
  ledger.push(written)
  const { photo } = (await addPhoto(seller, car)).answer
  written.photos.add(photo.id)
  await seller.ask(updatePrice, { params: { carId: car._id }, body: { newPrice: 9000 } })
  written.prices.push(9000)
  const second = (await addPhoto(seller, car)).answer.photo
  written.dropped.add(second.id)
  await seller.ask(deleteCarPhoto, { params: { carId: car._id, photoId: second.id } })
}

type Page = { user: { _id: string }; car: { price: number; photos: { id: string }[] } }

async function pageOf(address: string, { userId, vin }: { userId: string; vin: string }): Promise<Page> {
  const answer = await fetch(`${address}/cars/public/${userId}/${vin}`)
  expect(answer.status).toBe(200)
  return answer.json()
}

const rowsOf = <Row extends pg.QueryResultRow>(dataDir: string, query: string): Promise<Row[]> =>
  queryOnce(findRunningDatabase(dataDir) ?? {}, query)
