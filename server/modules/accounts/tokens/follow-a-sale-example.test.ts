import { spawn } from 'node:child_process'
import { revokeToken } from '@keyturn/contract/accounts/tokens.ts'
import { readPublicCar } from '@keyturn/contract/cars/endpoints.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import type { Scope } from '@keyturn/contract/shared/endpoint.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aToken } from '../../../../tests/support/http/tokens.ts'
import { aBuyer, aSeller } from '../../../../tests/support/people.ts'
import {
  aRequest,
  aVin,
  completeSale,
  confirmBuyer,
  offerPrice,
  type Sale,
  signAsBuyer,
  signAsSeller,
} from '../../../../tests/support/sales/deals.ts'
import { recordSecret } from '../../../../tests/support/secrets.ts'
import { freePort } from '../../../../tests/support/server-process.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

// Runs examples/follow-a-sale in its own process, as an integrator would.

const port = await freePort()
const server = await startTestServer()
await server.app.listen({ host: '127.0.0.1', port })
const needed: Scope[] = ['profile:read', 'cars:read', 'cars:write', 'deals:read']

// R-accounts-73
test('the example lists a car, prints its link, and follows its sale to the end', async () => {
  const seller = await aSeller(server, { firstName: 'Selma', lastName: 'Sanders' })
  const { token } = await aToken(seller, needed)
  const vin = aVin()
  const example = startExample(token, vin, '9500', '91000', 'Silver', 'EX')
  const link = new URL(await example.untilPrinted(/Send this link to your buyer: (\S+)/))
  const at = { userId: link.searchParams.get('userId') ?? '', vin: link.searchParams.get('vin') ?? '' }
  expect(at).toEqual({ userId: seller.id, vin })
  const buyer = await aBuyer(server, { firstName: 'Basil', lastName: 'Byrd' })
  const { car: listed } = await buyer.ask(readPublicCar, { params: at })
  const sale = { seller, buyer, at, car: listed } as unknown as Sale
  await aRequest(sale, buyer, 9000)
  await example.untilPrinted(/Basil Byrd offers \$9,000/)
  await offerPrice(sale, 9200)
  await confirmBuyer(sale)
  await signAsSeller(sale)
  await example.untilPrinted(/Selma Sanders signed as seller/)
  // Another start finds the listing and its history.
  const second = startExample(token, vin, '9500', '91000', 'Silver', 'EX')
  await second.untilPrinted(/Basil Byrd started[\s\S]*Selma Sanders signed as seller/)
  await signAsBuyer(sale)
  await completeSale(server, sale)
  expect(await example.ended).toBe(0)
  expect(
    example
      .output()
      .replaceAll(/^\S+Z /gm, '')
      .split('\n')
      .slice(1, -1),
  ).toEqual([
    'Basil Byrd started the purchase.',
    'Basil Byrd offers $9,000.',
    'Basil Byrd now offers $9,200.',
    'The buyer is confirmed at $9,200. Sign on the site: your signature holds the car for 72 hours.',
    'Selma Sanders signed as seller.',
    'Basil Byrd signed as buyer.',
    expect.stringMatching(/^Both have signed\. .* has the deal now\.$/),
    'The car is handed over, and the sale is complete.',
  ])
})

test('prints one line and fails without settings, with an unusable token, or without a scope', async () => {
  const seller = await aSeller(server)
  const words = [aVin(), '9500', '91000', 'Silver', 'EX'] as const
  const { token, created } = await aToken(seller, ['profile:read'])
  const narrow = startExample(token, ...words)
  expect(await narrow.ended).toBe(1)
  expect(narrow.output()).toMatch(/^GET \/vin\/\S+: 403 InsufficientScope\. .*cars:read\.\n$/)
  await seller.ask(revokeToken, { params: { tokenId: created._id } })
  const revoked = startExample(token, ...words)
  expect(await revoked.ended).toBe(1)
  expect(revoked.output()).toMatch(/^GET \/user: 401 InvalidToken\. .*revoked\.\n$/)
  const nothing = startExample('', ...words)
  expect(await nothing.ended).toBe(1)
  expect(nothing.output()).toBe('Set KEYTURN_URL and KEYTURN_TOKEN.\n')
})

// R-accounts-73
test('uses only endpoints that its scopes open', () => {
  const used = [
    'GET /user',
    'GET /vin/:vin',
    'POST /cars/input',
    'GET /cars/:userId',
    'GET /cars/requests/:carId',
  ]
  used.push('GET /progress/timeline/:userId/:vin')
  const open = allEndpoints.filter(({ scope }) => scope && needed.includes(scope)).map(({ name }) => name)
  expect(open).toEqual(expect.arrayContaining(used))
})

function startExample(token: string, ...words: string[]) {
  if (token) recordSecret(token)
  const path = new URL('../../../../examples/follow-a-sale/follow-a-sale.mjs', import.meta.url).pathname
  const env = { PATH: process.env.PATH, KEYTURN_URL: `http://127.0.0.1:${port}`, KEYTURN_TOKEN: token }
  const child = spawn(process.execPath, [path, ...words], { env })
  onTestFinished(() => void child.kill())
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      output += part
    })
  return {
    output: () => output,
    ended: new Promise<number | null>((resolve) => child.on('close', resolve)),
    untilPrinted: async (words: RegExp) => {
      await vi.waitUntil(() => words.test(output), { timeout: 120_000 })
      return words.exec(output)?.[1] ?? ''
    },
  }
}
