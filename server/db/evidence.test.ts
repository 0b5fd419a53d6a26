import { expect, test } from 'vitest'
import { dealJobs } from '../deals/actions.ts'
import { doDueJobs } from '../jobs/jobs.ts'
import { aSaleAt } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aTrade } from '../test/trades.ts'

const house = await openHouse()
await aTrade((await aSaleAt(house, 'passed')).buyer)
await doDueJobs(house.deps, dealJobs(house.deps))

/** Of each table of evidence, one column that somebody may wish to change. */
const columns = {
  signatures: 'ip',
  consents: 'version',
  deal_events: 'ip',
  trade_events: 'price_cents',
  account_events: 'session_id',
  packages: 'contents',
  agreement_pdfs: 'bytes',
  seal_certificates: 'certificate',
  log_leaves: 'digest',
  log_nodes: 'hash',
  log_heads: 'note',
  log_keys: 'verifier',
}

test.each(Object.entries(columns))(
  '%s are neither changed nor deleted nor emptied',
  async (table, column) => {
    const rows = () => house.query(`select * from ${table} order by 1, 2`)
    const before = await rows()
    expect(before).not.toEqual([])
    for (const statement of [
      `update ${table} set ${column} = null`,
      `delete from ${table}`,
      `truncate ${table}`,
      `truncate ${table} cascade`,
      'truncate deals, trades, users cascade',
    ])
      await expect(house.query(statement)).rejects.toThrow(/never changed|referenced in a foreign key/)
    expect(await rows()).toEqual(before)
  },
)

test('no table that refuses to be changed row by row can be emptied at once', async () => {
  const [left] = await house.query<{ tables: string[] }>(`
    select array(
      select tgrelid::regclass::text from pg_trigger
      where tgfoid = 'refuse_change'::regproc and not tgisinternal
      group by tgrelid having not bool_or(tgtype & 32 > 0)
    ) as tables`)
  expect(left?.tables).toEqual([])
})
