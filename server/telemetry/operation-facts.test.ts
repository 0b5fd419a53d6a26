import { expect, test } from 'vitest'
import { openHouse } from '../test/house.ts'
import { aFolder } from '../test/start.ts'
import { backupFacts, diskFacts, replicationFacts } from './operation-facts.ts'

const house = await openHouse()

test('counts the age of the last complete backup, and of the tables before the first', async () => {
  const age = async () => (await backupFacts(house.deps.db))[0]?.value ?? -1
  await house.query(`update migrations set ran_at = keyturn_now() - interval '3 days'`)
  expect(await age()).toBeCloseTo(3 * 86_400, -1)
  await house.query(`insert into backups (began_at, ended_at, path) values
    (keyturn_now() - interval '2 hours', keyturn_now() - interval '1 hour', '/backups/one')`)
  await house.query(`insert into backups (ended_at, failed_because) values (keyturn_now(), 'disk full')`)
  expect(await age()).toBeCloseTo(3_600, -1)
})

test('says that a synchronous standby is missing to a member of pg_monitor alone', async () => {
  expect(await replicationFacts(house.deps.db)).toEqual([
    { gauge: 'keyturn_synchronous_standby_missing', value: 0 },
  ])
})

test('reads the free part of each disk, and leaves out a folder that is not there', async () => {
  const dataDir = aFolder()
  const backup = { folder: `${dataDir}/not-there`, at: [], keep: { days: 1, weeks: 0, months: 0 } }
  const readings = await diskFacts({ ...house.deps.config, dataDir, backup })
  expect(readings).toEqual([{ gauge: 'keyturn_disk_free_ratio', of: 'data', value: expect.any(Number) }])
  expect(readings[0]?.value).toBeGreaterThan(0)
  expect(readings[0]?.value).toBeLessThanOrEqual(1)
})
