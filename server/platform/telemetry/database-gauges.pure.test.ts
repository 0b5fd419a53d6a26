import { Registry } from 'prom-client'
import { afterEach, expect, test, vi } from 'vitest'
import { createDatabaseGauges } from './database-gauges.ts'
import { databaseGauges } from './gauges.ts'

afterEach(() => void vi.useRealTimers())

function scraping() {
  vi.useFakeTimers({ toFake: ['performance'] })
  const registry = new Registry()
  const faults: unknown[] = []
  const { add } = createDatabaseGauges(databaseGauges, registry, (why) => faults.push(why))
  const read = async () => {
    vi.advanceTimersByTime(60_000)
    const lines = (await registry.metrics())
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    return lines.sort()
  }
  return { add, read, faults }
}

test('reports and logs a failed query once, and still returns the others', async () => {
  const { add, read, faults } = scraping()
  const fault = new Error('no such table')
  let isBroken = true
  add(async () => [{ gauge: 'keyturn_mails_waiting', value: 3 }])
  add(async () => {
    if (isBroken) throw fault
    return [{ gauge: 'keyturn_deals', of: 'pending', value: 2 }]
  })
  const broken = ['keyturn_database_answers 0', 'keyturn_mails_waiting 3']
  expect([await read(), await read(), faults]).toEqual([broken, broken, [fault]])
  isBroken = false
  expect(await read()).toEqual([
    'keyturn_database_answers 1',
    'keyturn_deals{state="pending"} 2',
    'keyturn_mails_waiting 3',
  ])
  isBroken = true
  await read()
  expect(faults).toEqual([fault, fault])
})

test('does not delay a scrape when the database hangs, and reports it again after recovery', async () => {
  const { add, read } = scraping()
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  add(async () => {
    await answered
    return [{ gauge: 'keyturn_mails_waiting', value: 3 }]
  })
  expect(await read()).toEqual(['keyturn_database_answers 0'])
  answer()
  await answered
  expect(await read()).toEqual(['keyturn_database_answers 1', 'keyturn_mails_waiting 3'])
})
