import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register } from '@keyturn/contract/accounts/endpoints.ts'
import { type Database, openDatabase } from '../../server/platform/database/open-database.ts'
import { askOnce } from '../cluster/replacement.ts'
import { browserAt, cookieOf } from '../support/at-address.ts'
import { onDatabase } from '../support/database/database.ts'
import { check, type Found, type Heard } from './checker.ts'
import { countUnlikeFirst, type Ledger, openLedger } from './ledger.ts'
import { type Outside, openOutside } from './outside.ts'
import { type Couple, type Person, type Sale, sellCars, type Where } from './sales.ts'

/** A separate database and data folder for one case. */
export type Ground = {
  databaseUrl: string
  database: Database
  dataDir: string
  settings: Record<string, string>
  outside: Outside
  close(): Promise<void>
}

export async function openGround(clusterUrl: string, name: string): Promise<Ground> {
  await askOnce(clusterUrl, `create database ${name}`)
  const databaseUrl = onDatabase(clusterUrl, name)
  const database = openDatabase({ connectionString: databaseUrl })
  const outside = await openOutside()
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-faults-'))
  return {
    databaseUrl,
    database,
    dataDir,
    outside,
    settings: {
      ...outside.settings,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: 'a long enough password',
      SESSION_SECRET: 'a secret that all processes of this run share',
      RATE_LIMITS: 'off',
      DEMO: '0',
    },
    async close() {
      await outside.close()
      await database.close()
      await askOnce(clusterUrl, `drop database ${name} with (force)`)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export type Crowd = {
  ledger: Ledger
  where: Where
  couples: Couple[]
  /**
   * Waits until all sales are finished, then compares the responses with the database and with what
   * external systems received.
   */
  settle(heard?: Heard): Promise<Outcome>
}
export type Outcome = Found & {
  acknowledged: number
  unanswered: number
  refused: string[]
  /** Changes that never got a response. */
  unknown: string[]
  unlikeFirst: number
}

/** Starts `size` couples who sell cars to each other one after another. */
export async function startCrowd(ground: Ground, baseUrl: string, size: number): Promise<Crowd> {
  const ledger = openLedger()
  const where: Where = { baseUrl }
  const wholesaler = await signUp(ground, baseUrl, 'WHOLESALER', 0)
  await ground.database.pool.query('update users set approved_at = now() where id = $1', [wholesaler.id])
  const couples = await Promise.all(
    Array.from({ length: size }, async (_, i) => ({
      seller: await signUp(ground, baseUrl, 'SELLER', i),
      buyer: await signUp(ground, baseUrl, 'BUYER', 2 * i),
      rival: await signUp(ground, baseUrl, 'BUYER', 2 * i + 1),
      wholesaler,
    })),
  )
  let isOver = false
  const selling = Promise.all(couples.map((couple) => sellCars(where, ledger, couple, () => isOver)))
  return {
    ledger,
    where,
    couples,
    async settle(heard: Heard = ground.outside) {
      isOver = true
      const sales: Sale[] = (await selling).flat()
      const found = await check(ground.database, sales, heard)
      return {
        ...found,
        twoWinners: found.twoWinners + ledger.twoWinners,
        acknowledged: ledger.acknowledged.length,
        unanswered: ledger.unanswered,
        refused: ledger.refused,
        unknown: ledger.givenUp,
        unlikeFirst: await countUnlikeFirst(where.baseUrl, ledger.acknowledged.slice(-300)),
      }
    },
  }
}

export async function signUp(
  { database }: Pick<Ground, 'database'>,
  baseUrl: string,
  userType: string,
  i: number,
): Promise<Person> {
  const browser = browserAt(() => baseUrl)
  const password = 'a long enough password'
  const { _id } = await browser.ask(register, {
    body: {
      firstName: userType === 'SELLER' ? 'Sam' : 'Bea',
      lastName: userType === 'SELLER' ? 'Seller' : 'Buyer',
      email: `${userType.toLowerCase()}-${i}@example.com`,
      phoneNumber: '5551234567',
      userType,
      password,
      confirmPassword: password,
    },
  })
  await database.pool.query('update users set verified_at = now() where id = $1', [_id])
  // Sign-ins expire after ten minutes, which is shorter than some cases.
  await database.pool.query(`update access_tokens set expires_at = now() + interval '1 day'`)
  return { id: _id, cookie: cookieOf(browser) }
}

/** Counts rows. `what` is the SQL after `from`. */
export async function countRows({ database: { pool } }: Ground, what: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int from ${what}`)
  return rows[0]?.count ?? 0
}
