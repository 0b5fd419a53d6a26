import { register } from '@keyturn/contract/accounts/calls.ts'
import { addCar } from '@keyturn/contract/cars/calls.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { pino } from 'pino'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { openPrinter } from '../deals/agreement/printer.ts'
import { openPictures } from '../media/pictures.ts'
import { openVinDecoder } from '../outside/vin-decoder.ts'

/** `carIds`: one for each of those who write at once; the first is the one of `vin`. */
export type World = { sellerId: string; carIds: string[]; vin: string; cookie: string }

const people = 200
const carsEach = 10

/** A seller who is signed in and has cars without requests, among as many others as a small town has. */
export async function prepareWorld(
  pool: pg.Pool,
  dataDir: string,
  databaseUrl: string,
  carsOfSeller: number,
): Promise<World> {
  const config = readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, RATE_LIMITS: 'off', DEMO: '0' })
  const own = openDatabase({ connectionString: databaseUrl })
  const vins = openVinDecoder()
  const log = pino({ level: 'silent' })
  const pictures = openPictures({ config, log })
  const printer = openPrinter(config, { onFault: () => undefined })
  const deps = { db: own.db, pool: own.pool, config, vins, pictures, printer, log }
  const app = await buildApp(deps, new URL('../../dist/web/', import.meta.url))
  const seller = await makeSeller(app, pool)
  const car = await send(app, addCar, seller.cookie, {
    vin: '1HGCM82633A004352',
    make: 'Honda',
    carModel: 'Accord',
    year: 2003,
    trim: 'EX',
    mileage: 91_000,
    color: 'Silver',
    payoff: false,
    price: 5000,
  })
  await crowd(pool, seller.id)
  const others = await handOver(pool, seller.id, carsOfSeller - 1)
  await app.close()
  await vins.close()
  await pictures.close()
  await printer.close()
  await own.close()
  const carIds = [String(car.body._id), ...others]
  return { sellerId: seller.id, carIds, vin: '1HGCM82633A004352', cookie: seller.cookie }
}

/** Gives so many cars of the crowd to the seller. */
async function handOver(pool: pg.Pool, sellerId: string, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `update cars set seller_id = $1
     where id in (select id from cars where seller_id <> $1 order by id limit $2) returning id`,
    [sellerId, count],
  )
  return rows.map(({ id }) => id)
}

async function makeSeller(app: FastifyInstance, pool: pg.Pool): Promise<{ id: string; cookie: string }> {
  const { body, cookie } = await send(app, register, '', {
    firstName: 'Sam',
    lastName: 'Seller',
    email: 'sam@example.com',
    phoneNumber: '5551234567',
    userType: 'SELLER',
    password: 'a long enough password',
    confirmPassword: 'a long enough password',
  })
  const id = String(body._id)
  await pool.query('update users set verified_at = now() where id = $1', [id])
  // The access token of a sign-in lives for ten minutes; the benchmark may take longer.
  await pool.query(`update access_tokens set expires_at = now() + interval '1 day'`)
  return { id, cookie }
}

async function crowd(pool: pg.Pool, like: string): Promise<void> {
  await pool.query(
    `insert into users (id, email, user_type, first_name, last_name, phone_number, password_hash, verified_at)
     select lpad(to_hex(n), 24, '0'), 'person' || n || '@example.com', 'SELLER', 'P' || n, 'Q', '5551234567', u.password_hash, now()
     from generate_series(1, ${people}) n, users u where u.id = $1`,
    [like],
  )
  await pool.query(
    `insert into cars (id, seller_id, vin, make, model, year, trim, mileage, color, payoff, price_cents)
     select lpad(to_hex(n * 1000 + k), 24, '0'), lpad(to_hex(n), 24, '0'), 'TESTV' || lpad((n * 100 + k)::text, 12, '0'),
       'Ford', 'Focus', 2012, 'SE', 80000, 'Blue', false, 700000
     from generate_series(1, ${people}) n, generate_series(1, ${carsEach}) k`,
  )
  await pool.query('analyze')
}

/** A car whose owner has kept it: the crowd's first ones are handed over. */
export function carOfCrowd(at: number): { userId: string; vin: string } {
  const [person, car] = [people / 2 + Math.floor(at / carsEach), 1 + (at % carsEach)]
  return {
    userId: person.toString(16).padStart(24, '0'),
    vin: `TESTV${String(person * 100 + car).padStart(12, '0')}`,
  }
}

async function send(
  app: FastifyInstance,
  call: { method: string; path: string },
  cookie: string,
  body: object,
) {
  const response = await app.inject({
    method: call.method as 'POST',
    url: call.path,
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
    payload: body,
  })
  if (response.statusCode !== 201)
    throw new Error(`${call.path} answered ${response.statusCode}: ${response.body}`)
  const given = response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return { body: response.json() as Record<string, unknown>, cookie: given }
}
