import pg from 'pg'
import { hashToken } from '../server/modules/accounts/sessions/cookies.ts'
import { migrateDatabase } from './database.ts'

export type Person = { id: string; carId: string; vin: string; cookie: string }

/** Creates signed-in people, each with one car without requests. */
export async function createPeople(databaseUrl: string, count: number): Promise<Person[]> {
  await migrateDatabase(databaseUrl)
  const people = Array.from({ length: count }, (_, n) => personOf(n))
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const ids = people.map(({ id }) => id)
  await client.query(
    `insert into users (id, email, user_type, first_name, last_name, phone_number, password_hash, verified_at)
     select id, id || '@example.com', 'SELLER', 'P', 'Q', '5551234567', 'none', now() from unnest($1::text[]) id`,
    [ids],
  )
  await client.query(
    `insert into cars (id, seller_id, vin, make, model, year, trim, mileage, color, payoff, price_cents)
     select id, id, vin, 'Ford', 'Focus', 2012, 'SE', 80000, 'Blue', false, 700000
     from unnest($1::text[], $2::text[]) t (id, vin)`,
    [ids, people.map(({ vin }) => vin)],
  )
  await client.query(
    `insert into sessions (id, user_id, expires_at, idle_seconds)
     select id, id, now() + interval '1 day', 86400 from unnest($1::text[]) id`,
    [ids],
  )
  await client.query(
    `insert into access_tokens (hash, session_id, refresh_hash, expires_at)
     select hash, id, hash, now() + interval '1 day' from unnest($1::text[], $2::bytea[]) t (id, hash)`,
    [ids, people.map((_, n) => hashToken(tokenOf(n)))],
  )
  await client.query('analyze')
  await client.end()
  return people
}

const tokenOf = (n: number) => `bench-${n}`.padEnd(43, '-')

function personOf(n: number): Person {
  const id = n.toString(16).padStart(24, '0')
  return { id, carId: id, vin: `TESTV${String(n).padStart(12, '0')}`, cookie: `at=${tokenOf(n)}` }
}
