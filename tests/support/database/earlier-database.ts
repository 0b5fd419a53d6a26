import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { applyMigrations, migrate } from '../../../server/platform/database/migrate.ts'
import { type Database, openDatabase } from '../../../server/platform/database/open-database.ts'
import { withoutTimeouts } from '../../../server/platform/database/without-timeouts.ts'
import { queryOnce } from '../../cluster/replacement.ts'
import { withDatabaseName } from './database.ts'

/** Functions of the baseline as migration 0066 defined them. */
const standardBodies = `
create or replace function is_taken(deal_status text) returns boolean language sql immutable
  return deal_status in ('ACCEPTED', 'COMPLETED');
create or replace function hold_is_over(deal deals) returns boolean language sql stable
  return deal.status = 'ACCEPTED' and deal.passed_at is null and deal.withdrawn_at is null
    and deal.exclusive_until is not null and deal.exclusive_until <= keyturn_now();
create or replace function has_car(deal deals) returns boolean language sql stable
  return is_taken(deal.status) and deal.withdrawn_at is null and not hold_is_over(deal);
create or replace function takes_messages(deal deals) returns boolean language sql immutable
  return deal.status in ('PENDING', 'ACCEPTED') and deal.withdrawn_at is null;
create or replace function is_standing(deal_status text) returns boolean language sql immutable
  return deal_status in ('PENDING', 'ACCEPTED', 'COMPLETED');
create or replace function counted_state(deal deals) returns text language sql immutable
  return case
    when deal.withdrawn_at is not null then case when deal.passed_at is null then 'ended' else 'called_off' end
    when deal.status = 'ACCEPTED' and deal.passed_at is not null then 'passed'
    else lower(deal.status)
  end;`

export type EarlierDatabase = Database & { url: string; migrate(): Promise<string[]> }

/**
 * Creates an empty database at the last migration before the baseline, or at the earlier `upTo`.
 */
export async function createDatabaseBeforeBaseline(
  upTo = '0066-taking-a-key.before.sql',
): Promise<EarlierDatabase> {
  const name = `before_baseline_${randomUUID().slice(0, 8)}`
  await queryOnce(inject('database'), `create database ${name}`)
  const url = withDatabaseName(inject('database'), name)
  const database = openDatabase({ connectionString: url })
  const { pool } = database
  await withoutTimeouts(pool, async (client) => {
    await client.query('begin')
    await applyMigrations(client, ['0067-baseline.sql'])
    await client.query('commit')
  })
  await pool.query(`${standardBodies}
    create index notifications_for_wholesalers on notifications (created_at desc, id desc) where type <> 'TRADE_OFFERED';
    delete from migrations;`)
  await pool.query('insert into migrations (name) select unnest($1::text[])', [['0001-floor.sql', upTo]])
  return {
    ...database,
    url,
    migrate: async () => (await migrate(pool)).ran,
    close: async () => {
      await database.close()
      await queryOnce(inject('database'), `drop database ${name} with (force)`)
    },
  }
}
