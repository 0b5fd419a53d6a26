import { Registry } from 'prom-client'
import { expect, test, vi } from 'vitest'
import { askedGauges } from './asked-gauges.ts'
import { databaseGauges } from './gauges.ts'

test('one question that fails takes no other answer with it, is said to have failed, and logged once', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const registry = new Registry()
  const faults: unknown[] = []
  const asked = askedGauges(databaseGauges, registry, (why) => faults.push(why))
  const fault = new Error('no such table')
  let isBroken = true
  asked.add(async () => [{ gauge: 'keyturn_mails_waiting', value: 3 }])
  asked.add(async () => {
    if (isBroken) throw fault
    return [{ gauge: 'keyturn_deals', of: 'pending', value: 2 }]
  })
  const read = async () => {
    vi.advanceTimersByTime(60_000)
    return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  }
  const broken = ['keyturn_database_answers 0', 'keyturn_mails_waiting 3']
  expect((await read()).sort()).toEqual(broken)
  expect((await read()).sort()).toEqual(broken)
  expect(faults).toEqual([fault])
  isBroken = false
  expect((await read()).sort()).toEqual([
    'keyturn_database_answers 1',
    'keyturn_deals{state="pending"} 2',
    'keyturn_mails_waiting 3',
  ])
  isBroken = true
  await read()
  expect(faults).toEqual([fault, fault])
})
