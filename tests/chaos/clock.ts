import type { Environment } from './setup.ts'

/** Moves the database's clock by this many seconds, forward or back. */
export async function setClock({ database: { pool } }: Environment, seconds: number): Promise<void> {
  await pool.query(
    `create or replace function keyturn_now() returns timestamptz language sql stable
     as $$ select now() + interval '${seconds} seconds' $$`,
  )
}
