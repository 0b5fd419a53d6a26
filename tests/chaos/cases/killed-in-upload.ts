import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { sweepJob } from '../../../server/platform/storage/picture-repository.ts'
import { aScene } from '../../support/pictures.ts'
import { type Case, emptyResult } from '../case.ts'
import { createLedger } from '../ledger.ts'
import { countMissing } from '../photos.ts'
import { listCar, type Person } from '../sales.ts'
import { startServer } from '../server.ts'
import { type Environment, signUp } from '../setup.ts'

const sellers = 3
const photosOfEach = 6
/** Large enough to take seconds to process, so that kills hit every step of an upload. */
const size = { width: 2400, height: 1600 }
/** The web app's timeout. */
const timeoutMs = 120_000

type Counts = { unanswered: number; rejected: string[]; lastAcceptedAt: number; longestGapMs: number }
type Car = { id: string; vin: string; seller: Person; sent: number; accepted: string[] }

/**
 * SIGKILL during photo uploads: each accepted photo is stored completely and once, and the others
 * leave no files (R-cars-27).
 */
export const killedInUpload: Case = {
  name: 'killed in upload',
  async run(environment, rounds) {
    const server = await startServer(environment.settings)
    const ledger = createLedger()
    const cars = await Promise.all(
      Array.from({ length: sellers }, async (_, i): Promise<Car> => {
        const seller = await signUp(environment, server.baseUrl, 'SELLER', i)
        const { carId, vin } = await listCar({ baseUrl: server.baseUrl }, ledger, seller)
        return { id: carId, vin, seller, sent: 0, accepted: [] }
      }),
    )
    const counts: Counts = {
      unanswered: 0,
      rejected: [],
      lastAcceptedAt: performance.now(),
      longestGapMs: 0,
    }
    const sending = Promise.all(cars.map((car) => sendPhotos(server.baseUrl, car, counts)))
    for (let round = 0; round < rounds; round++) {
      await wait(1000 + Math.random() * 4000)
      await server.killAndRestart()
    }
    await sending
    const found = await Promise.all(cars.map((car) => comparePhotos(server.baseUrl, car)))
    const { code } = await server.stop()
    const sum = (of: (one: (typeof found)[number]) => number) => found.reduce((all, one) => all + of(one), 0)
    return {
      ...emptyResult,
      rounds,
      acknowledged: cars.flatMap(({ accepted }) => accepted).length,
      unanswered: counts.unanswered,
      rejected: counts.rejected,
      lost: sum(({ lost }) => lost),
      halfDone: sum(({ halfDone }) => halfDone),
      doubled: sum(({ doubled }) => doubled),
      recoveryMs: counts.longestGapMs,
      violations: [
        ...(code === 0 ? [] : [`SIGTERM ended it with ${code}`]),
        ...(await findLeftovers(
          environment,
          found.flatMap(({ shown }) => shown),
        )),
      ],
    }
  },
}

async function sendPhotos(baseUrl: string, car: Car, counts: Counts): Promise<void> {
  for (let i = 0; i < photosOfEach; i++) {
    const bytes = await aScene(i * sellers + Number(car.vin.slice(-2)), size.width, size.height)
    car.sent++
    for (;;) {
      const response = await sendPhoto(baseUrl, car, bytes)
      if (response?.status === 201 || response?.status === 200) {
        const now = performance.now()
        counts.longestGapMs = Math.max(counts.longestGapMs, now - counts.lastAcceptedAt)
        counts.lastAcceptedAt = now
        car.accepted.push((JSON.parse(response.body) as { photo: Photo }).photo.id)
        break
      }
      if (response && response.status < 500 && response.status !== 429) {
        counts.rejected.push(`a photo: ${response.status} ${response.body}`)
        break
      }
      counts.unanswered++
      await wait(100)
    }
  }
}

/** Uploads in pieces, as over a mobile connection. */
async function sendPhoto(baseUrl: string, { id, seller }: Car, bytes: Buffer) {
  const pieces = async function* () {
    const length = Math.ceil(bytes.length / 4)
    for (let from = 0; from < bytes.length; from += length) {
      await wait(50)
      yield bytes.subarray(from, from + length)
    }
  }
  try {
    const response = await fetch(new URL(`/cars/photos/${id}`, baseUrl), {
      method: 'POST',
      headers: { cookie: seller.cookie, 'content-type': 'image/jpeg', 'sec-fetch-site': 'same-origin' },
      body: Readable.toWeb(Readable.from(pieces())),
      duplex: 'half',
      signal: AbortSignal.timeout(timeoutMs),
    } as RequestInit)
    return { status: response.status, body: await response.text() }
  } catch {
    return null
  }
}

async function comparePhotos(baseUrl: string, { vin, seller, sent, accepted }: Car) {
  const response = await fetch(new URL(`/cars/public/${seller.id}/${vin}`, baseUrl), {
    headers: { accept: 'application/json' },
  })
  const { car } = (await response.json()) as { car: { photos: Photo[] } }
  const shown = car.photos.map(({ id }) => id)
  return {
    shown,
    lost: accepted.filter((id) => !shown.includes(id)).length,
    doubled: Math.max(0, shown.length - sent) + shown.length - new Set(shown).size,
    halfDone: await countMissing(baseUrl, car.photos),
  }
}

/** Returns files and rows that are left after a restart and a sweep hours later. */
async function findLeftovers(
  { dataDir, database, settings }: Environment,
  shown: string[],
): Promise<string[]> {
  const root = join(dataDir, 'photos')
  const incoming = join(root, 'incoming')
  const longAgo = new Date(Date.now() - 7_200_000)
  for (const name of readdirSync(incoming)) utimesSync(join(incoming, name), longAgo, longAgo)
  await database.pool.query('update pictures set sweep_after = keyturn_now() where sweep_after is not null')
  await database.pool.query('update jobs set run_at = keyturn_now() where name = $1', [sweepJob])
  const server = await startServer(settings)
  const pictureIds = async (where: string) =>
    (await database.pool.query<{ id: string }>(`select id from pictures ${where}`)).rows.map(({ id }) => id)
  for (let i = 0; i < 100 && (await pictureIds('where sweep_after is not null')).length > 0; i++)
    await wait(100)
  await server.stop()
  const rows = await pictureIds('')
  const folders = readdirSync(root).filter((name) => name.length === 2)
  const stored = folders.flatMap((name) => readdirSync(join(root, name)))
  const missing = rows.filter((id) => !existsSync(join(root, id.slice(0, 2), id)))
  return [
    ...readdirSync(incoming).map((name) => `incoming/${name} was left`),
    ...rows.filter((id) => !shown.includes(id)).map((id) => `no car shows the picture ${id}`),
    ...stored.filter((id) => !rows.includes(id)).map((id) => `the files of ${id} have no row`),
    ...missing.map((id) => `the picture ${id} has no files`),
  ]
}
