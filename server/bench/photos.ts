import { request } from 'node:http'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { grain } from './grain.ts'
import { type Shot, shoot } from './load.ts'
import { run } from './server-process.ts'
import { prepareWorld, type World } from './world.ts'

const count = 20
/** As many as a page sends at a time. */
const atOnce = 3
const [width, height] = [4032, 3024]
const quietMs = 5_000

/** How long twenty photos of 12 megapixels take, and what it does to those who read meanwhile. */
export async function measurePhotos(databaseUrl: string, dataDir: string): Promise<string> {
  const database = openDatabase({ connectionString: databaseUrl })
  await migrate(database.pool, new URL('../db/migrations/', import.meta.url))
  const world = await prepareWorld(database.pool, dataDir, databaseUrl, 1)
  await database.close()
  const path = `/cars/public/${world.sellerId}/${world.vin}`
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, RATE_LIMITS: 'off', DEMO: '0' }
  const server = await run('dist/server/main.js', path, settings)
  const pictures = await drawPictures()
  const shot: Shot = { method: 'GET', path, headers: { accept: 'application/json' } }
  const read = (goOn: number | (() => boolean)) => shoot(server.port, () => shot, 1, goOn)
  await read(quietMs)
  const quiet = await read(quietMs)
  const began = performance.now()
  let seconds = 0
  const sent = sendAll(server.port, world, pictures).then(() => {
    seconds = (performance.now() - began) / 1000
  })
  const beside = await read(() => seconds === 0)
  await sent
  const { rssMb } = server.usage()
  await server.stop()
  const bytes = pictures.reduce((sum, { length }) => sum + length, 0)
  return [
    '',
    `${count} photos of ${((width * height) / 1e6).toFixed(1)} megapixels (${(bytes / count / 1e6).toFixed(1)} MB each), ${atOnce} at a time: ${seconds.toFixed(1)} s (to reach: at most 60)`,
    `  a read's p99, one connection: ${quiet.p99.toFixed(2)} ms alone, ${beside.p99.toFixed(2)} ms beside them (${(beside.p99 / quiet.p99).toFixed(2)} times) (to reach: at most 2 times); the server then holds ${rssMb.toFixed(0)} MB`,
  ].join('\n')
}

/** Each in another tint. */
async function drawPictures(): Promise<Buffer[]> {
  const noise = await grain(width, height)
  const pictures: Buffer[] = []
  for (let at = 0; at < count; at++)
    pictures.push(
      await noise
        .clone()
        .modulate({ brightness: 0.7 + at * 0.03 })
        .jpeg({ quality: 88 })
        .toBuffer(),
    )
  return pictures
}

async function sendAll(port: number, world: World, pictures: readonly Buffer[]): Promise<void> {
  const left = [...pictures]
  const sendSome = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const status = await send(port, world, next)
      if (status !== 201) throw new Error(`a photo was answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendSome))
}

const send = (port: number, { carIds, cookie }: World, picture: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { cookie, 'content-type': 'image/jpeg', 'sec-fetch-site': 'same-origin' }
    const sent = request(
      { port, host: '127.0.0.1', method: 'POST', path: `/cars/photos/${carIds[0]}`, headers, agent: false },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    sent.on('error', reject)
    sent.end(picture)
  })
