import { expect, test } from 'vitest'
import { supportsGenericPlans } from '../../../tests/support/database/database.ts'
import { aBuyer } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { explainTradesPage, findTradesPage } from './trades-page-repository.ts'

const server = await startTestServer()
const ofAnyValues = test.skipIf(!(await supportsGenericPlans(server)))

/** So many rows that the planner would choose a plan other than the index if it could. */
// R-everywhere-6
ofAnyValues('reads only a page of rows for a page of the list, however many there are', async () => {
  const owner = await aBuyer(server)
  await server.query(
    `insert into trades (id, owner_id, vin, make, model, year, trim, mileage, color, zip_code, payoff, status, price_cents,
       tax_credit_cents, tax_rate, offer_expires_at, created_at)
     select lpad(to_hex(n), 24, '0'), $1, 'LIST' || n, 'Ford', 'F', 2013, 'X', 1, 'Blue', '48201', false,
       case when n % 50 = 0 then 'REJECTED' else 'PENDING' end, case when n % 50 = 0 then 100 end,
       case when n % 50 = 0 then 6 end, case when n % 50 = 0 then '0.06' end, null, now() - n * interval '1 second'
     from generate_series(1, 20000) n`,
    [owner.id],
  )
  await server.query('analyze')
  const deep = (await findTradesPage(server.deps.db, 'ALL', 200, null)).at(-1)
  const after = { at: deep?.at ?? '', id: deep?.trade.id ?? '' }
  for (const [status, from, wholesalerId] of [
    ['ALL', null],
    ['ALL', after],
    ['PENDING', null],
    ['REJECTED', after],
    ['ALL', null, 'f'.repeat(24)],
  ] as const) {
    const plan = (await explainTradesPage(server.deps.db, status, 51, from, wholesalerId)).join('\n')
    expect(plan).toMatch(/Index Scan using trades_listed(_by_status)?/)
    expect(plan).not.toMatch(/Sort|Seq Scan on trades|Hash/)
    const rowsRead = /Index Scan using trades_listed\S* on trades .*rows=(\d+)/.exec(plan)?.[1]
    expect(Number(rowsRead), plan).toBe(51)
  }
})
