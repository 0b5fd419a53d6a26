import { afterAll, expect, test } from 'vitest'
import { aDatabaseBefore, aDealInSql } from '../../test/earlier-database.ts'

const earlier = await aDatabaseBefore('0035')
afterAll(() => earlier.close())

// R-deals-73
test('what was passed on before there were several dealers stays with the one that there was', async () => {
  await earlier.pool.query(aDealInSql)
  await earlier.pool.query(`update deals set passed_at = now(), package_id = repeat('e', 24)`)
  await earlier.migrate()
  const { rows } = await earlier.pool.query(
    'select is_default, name from deals join dealers on dealers.id = deals.dealer_id',
  )
  expect(rows).toEqual([{ is_default: true, name: null }])
})
