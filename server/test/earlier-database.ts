import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '../db/migrate.ts'
import { type Database, openDatabase } from '../db/open.ts'
import { onDatabase } from './database.ts'

const migrations = new URL('../db/migrations/', import.meta.url)

/** A database as it was before a step of the migrations, and the way from there to the present. */
export async function aDatabaseBefore(
  step: string,
): Promise<Database & { url: string; migrate(): Promise<string[]> }> {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-migrations-'))
  for (const name of readdirSync(migrations))
    if (name < step) cpSync(new URL(name, migrations), join(folder, name))
  const name = `before_${step}_${process.pid}`
  await onServer(`create database ${name}`)
  const url = onDatabase(inject('database'), name)
  const database = openDatabase({ connectionString: url })
  await migrate(database.pool, pathToFileURL(`${folder}/`))
  return {
    ...database,
    url,
    migrate: async () => (await migrate(database.pool, migrations)).ran,
    close: async () => {
      await database.close()
      await onServer(`drop database ${name} with (force)`)
      rmSync(folder, { recursive: true })
    },
  }
}

/** A confirmed deal `dddd...` between seller `aaaa...` and buyer `bbbb...`, written with the columns of the first version. */
export const aDealInSql = `
insert into users (id, email, user_type, first_name, last_name, phone_number, password_hash)
  values (repeat('a', 24), 'selma@example.com', 'SELLER', 'Selma', 'Sanders', '617 555 0100', ''),
    (repeat('b', 24), 'basil@example.com', 'BUYER', 'Basil', 'Byrd', '617 555 0101', '');
insert into cars (id, seller_id, vin, make, model, year, trim, mileage, color, payoff)
  values (repeat('c', 24), repeat('a', 24), '1HGCM82633A004352', 'Honda', 'Accord', 2003, 'EX', 91000, 'Silver', false);
insert into deals (id, car_id, seller_id, buyer_id, status, price_cents)
  values (repeat('d', 24), repeat('c', 24), repeat('a', 24), repeat('b', 24), 'ACCEPTED', 900000);`

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('database') })
  await client.connect()
  await client.query(statement)
  await client.end()
}
