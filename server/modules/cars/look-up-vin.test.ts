import { lookUpVin, warmUpVinLookUp } from '@keyturn/contract/cars/endpoints.ts'
import { computeCheckDigit } from '@keyturn/contract/shared/vin.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createTestClient } from '../../../tests/support/browser.ts'
import { aBuyer, aNewcomer, aSeller, type TestPerson } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { accountTasks } from '../accounts/tasks.ts'
import { deleteOldUnknownVins } from './repository.ts'

const server = await startTestServer({ RATE_LIMITS: 'on' })
/** Shared by tests, because the number of registrations per address and hour is limited. */
const someone = aSeller(server)
const accord = '1HGCM82633A004352'
const unknownVin = (number: number) => {
  const vin = `ZZZ11111*111${String(number).padStart(5, '0')}`
  return vin.replace('*', computeCheckDigit(vin.replace('*', '0')) ?? '')
}
const lookUpStatus = async (person: TestPerson, vin: string) =>
  (await person.send(lookUpVin, { params: { vin } })).status

test('limits each person to twenty new VINs a minute', async () => {
  const [curious, other] = [await aSeller(server), await aBuyer(server)]
  expect(await lookUpStatus(curious, accord)).toBe(200)
  for (let number = 1; number < 20; number++)
    expect(await lookUpStatus(curious, unknownVin(number))).toBe(422)
  expect(await lookUpStatus(curious, unknownVin(20))).toBe(429)
  expect(await lookUpStatus(other, unknownVin(20))).toBe(422)
  // A repeated lookup does not count against the limit.
  expect(await lookUpStatus(curious, unknownVin(20))).toBe(422)
  expect(await lookUpStatus(curious, accord)).toBe(200)
  await server.moveClock('61 seconds')
  expect(await lookUpStatus(curious, unknownVin(21))).toBe(422)
  await server.moveClock('0')
})

test('rejects a malformed VIN without using the decoder or the limit, and stores no row', async () => {
  const person = await someone
  for (let number = 1; number <= 25; number++)
    expect(await lookUpStatus(person, `NO-VIN-${number}`)).toBe(422)
  expect(await server.query("select vin from vin_answers where vin like 'NO%'")).toEqual([])
})

test('makes a caller with twenty lookups wait without delaying others', async () => {
  const [greedy, other] = [await aSeller(server), await aBuyer(server)]
  const asked = Array.from({ length: 20 }, (_, i) => lookUpStatus(greedy, unknownVin(100 + i)))
  expect(await lookUpStatus(other, unknownVin(99))).toBe(422)
  const statuses = await Promise.all(asked)
  expect(statuses.filter((status) => ![422, 429].includes(status))).toEqual([])
})

test('looks an unknown VIN up again after a day', async () => {
  const storedVins = async () =>
    (await server.query<{ vin: string }>('select vin from vin_answers')).map((row) => row.vin)
  const clean = () => runDueJobs(server.deps, accountTasks(server.deps, { cleanAlso: deleteOldUnknownVins }))
  const seller = await someone
  await lookUpStatus(seller, accord)
  await lookUpStatus(seller, unknownVin(200))
  await clean()
  expect(await storedVins()).toEqual(expect.arrayContaining([accord, unknownVin(200)]))
  await server.moveClock('25 hours')
  await clean()
  expect(await storedVins()).toEqual([accord])
})

test('starts the decoder when a verified person opens a form, but not for strangers', async () => {
  let started = 0
  const vins = { ...server.deps.vins, warm: () => void started++ }
  const app = await buildApp({ ...server.deps, vins }, new URL('./', import.meta.url))
  onTestFinished(() => app.close())
  const warmAs = (person?: TestPerson) => {
    const browser = createTestClient(app)
    for (const [name, value] of person?.cookies ?? []) browser.cookies.set(name, value)
    return browser.send(warmUpVinLookUp)
  }
  expect((await warmAs()).status).toBe(401)
  expect((await warmAs(await aNewcomer(server, 'SELLER'))).status).toBe(403)
  expect(started).toBe(0)
  expect((await warmAs(await aSeller(server))).status).toBe(200)
  expect(started).toBe(1)
})
