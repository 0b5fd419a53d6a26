import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupFacts } from '../backup/backup-facts.ts'
import { openHouse } from '../test/house.ts'
import { aFolder } from '../test/start.ts'
import { diskFacts, replicationFacts } from './operation-facts.ts'

const house = await openHouse()

test('counts the age of the last complete backup', async () => {
  const age = async () => (await backupFacts(house.deps.db))[0]?.value ?? -1
  expect(await age()).toBe(Number.POSITIVE_INFINITY)
  await house.query(`insert into backups (began_at, ended_at, path) values
    (keyturn_now() - interval '2 hours', keyturn_now() - interval '1 hour', '/backups/one')`)
  await house.query(`insert into backups (ended_at, failed_because) values (keyturn_now(), 'disk full')`)
  expect(await age()).toBeCloseTo(3_600, -1)
})

test('reads nothing of standbys unless the user is a member of pg_monitor', async () => {
  expect(await replicationFacts(house.deps.db)).toEqual([])
})

test('reads the free part of each disk, and leaves out a folder that is not there', async () => {
  const dataDir = aFolder()
  const backup = { folder: `${dataDir}/not-there`, at: [], keep: { days: 1, weeks: 0, months: 0 } }
  const readings = await diskFacts({ ...house.deps.config, dataDir, backup })
  expect(readings).toEqual([{ gauge: 'keyturn_disk_free_ratio', of: 'data', value: expect.any(Number) }])
  expect(readings[0]?.value).toBeGreaterThan(0)
  expect(readings[0]?.value).toBeLessThanOrEqual(1)
})

test('reads the disk of photos unless they are in an object store', async () => {
  const [dataDir, shared] = [aFolder(), aFolder()]
  symlinkSync(shared, join(dataDir, 'photos'))
  const config = { ...house.deps.config, dataDir, backup: null }
  const of = async (more: object) => (await diskFacts({ ...config, ...more })).map((reading) => reading.of)
  expect(await of({})).toEqual(['data', 'photos'])
  expect(await of({ s3: { bucket: 'cars' } })).toEqual(['data'])
})
