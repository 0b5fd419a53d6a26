import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register } from '@keyturn/contract/accounts/endpoints.ts'
import { type Database, openDatabase } from '../../server/platform/database/open-database.ts'
import { queryOnce } from '../cluster/replacement.ts'
import { cookieHeaderOf, createBrowserAt } from '../support/browser-at.ts'
import { withDatabaseName } from '../support/database/database.ts'
import { type Found, findViolations, type Received } from './checker.ts'
import { type ExternalSystems, startExternalSystems } from './external-systems.ts'
import { countChangedResponses, createLedger, type Ledger } from './ledger.ts'
import { type Person, type Sale, sellCars, type Target, type Traders } from './sales.ts'

/** A separate database and data folder for one case. */
export type Environment = {
  databaseUrl: string
  database: Database
  dataDir: string
  settings: Record<string, string>
  external: ExternalSystems
  close(): Promise<void>
}

export async function createEnvironment(clusterUrl: string, name: string): Promise<Environment> {
  await queryOnce(clusterUrl, `create database ${name}`)
  const databaseUrl = withDatabaseName(clusterUrl, name)
  const database = openDatabase({ connectionString: databaseUrl })
  const external = await startExternalSystems()
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-faults-'))
  return {
    databaseUrl,
    database,
    dataDir,
    external,
    settings: {
      ...external.settings,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: 'a long enough password',
      SESSION_SECRET: 'a secret that all processes of this run share',
      RATE_LIMITS: 'off',
      DEMO: '0',
    },
    async close() {
      await external.close()
      await database.close()
      await queryOnce(clusterUrl, `drop database ${name} with (force)`)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export type Workload = {
  ledger: Ledger
  target: Target
  groups: Traders[]
  /**
   * Waits until all sales are finished. Compares the responses with the database and external
   * systems.
   */
  finish(received?: Received): Promise<Outcome>
}
export type Outcome = Found & {
  acknowledged: number
  unanswered: number
  rejected: string[]
  /** Changes that never got a response. */
  withoutResponse: string[]
  changedResponses: number
}

/** Starts `size` groups of people who trade one car after another. */
export async function startWorkload(
  environment: Environment,
  baseUrl: string,
  size: number,
): Promise<Workload> {
  const ledger = createLedger()
  const target: Target = { baseUrl }
  const wholesaler = await signUp(environment, baseUrl, 'WHOLESALER', 0)
  await environment.database.pool.query('update users set approved_at = now() where id = $1', [wholesaler.id])
  const groups = await Promise.all(
    Array.from({ length: size }, async (_, i) => ({
      seller: await signUp(environment, baseUrl, 'SELLER', i),
      buyer: await signUp(environment, baseUrl, 'BUYER', 2 * i),
      rival: await signUp(environment, baseUrl, 'BUYER', 2 * i + 1),
      wholesaler,
    })),
  )
  let isOver = false
  const selling = Promise.all(groups.map((traders) => sellCars(target, ledger, traders, () => isOver)))
  return {
    ledger,
    target,
    groups,
    async finish(received: Received = environment.external) {
      isOver = true
      const sales: Sale[] = (await selling).flat()
      const found = await findViolations(environment.database, sales, received)
      return {
        ...found,
        twoWinners: found.twoWinners + ledger.twoWinners,
        acknowledged: ledger.acknowledged.length,
        unanswered: ledger.unanswered,
        rejected: ledger.rejected,
        withoutResponse: ledger.abandoned,
        changedResponses: await countChangedResponses(target.baseUrl, ledger.acknowledged.slice(-300)),
      }
    },
  }
}

export async function signUp(
  { database }: Pick<Environment, 'database'>,
  baseUrl: string,
  userType: string,
  i: number,
): Promise<Person> {
  const browser = createBrowserAt(() => baseUrl)
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
  // Access tokens expire after ten minutes, which is shorter than some cases.
  await database.pool.query(`update access_tokens set expires_at = now() + interval '1 day'`)
  return { id: _id, cookie: cookieHeaderOf(browser) }
}

/** Counts rows. `from` is the SQL after the keyword `from`. */
export async function countRows({ database: { pool } }: Environment, from: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int from ${from}`)
  return rows[0]?.count ?? 0
}
