import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isAssigned } from '@keyturn/contract/shared/fields.ts'
import { parseTaxRate } from '@keyturn/contract/trades/tax.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { stateRates } from './state-rates.ts'
import { countCreditStates, createTaxRates, providerTimeoutMs, stateOfZip } from './tax-rates.ts'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Starts a provider with this listener and records its requests. */
async function aProvider(listener: RequestListener) {
  const asked: { url: string; key: string | undefined }[] = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', key: request.headers['x-api-key']?.toString() })
    listener(request, response)
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://127.0.0.1:${port}/v1/salestax?plan=free`)
  return { asked, url, rates: createTaxRates({ taxApi: { url, key: 'secret' } }) }
}

// R-trades-29
test('finds a state for exactly the ZIP codes that forms accept', () => {
  for (let number = 0; number < 100_000; number += 100) {
    const zip = String(number + 1).padStart(5, '0')
    expect([zip, stateOfZip(zip) !== null]).toEqual([zip, isAssigned(zip)])
  }
})

const saying =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  }

describe('the built-in table', () => {
  const own = createTaxRates({ taxApi: null })

  test('contains a rate, a source and a date for each of the fifty states and the District of Columbia', () => {
    expect(stateRates.size).toBe(51)
    for (const [state, { rate, source, asOf }] of stateRates) {
      expect(state).toMatch(/^[A-Z]{2}$/)
      expect(parseTaxRate(rate)).not.toBeNull()
      expect(Number(rate)).toBeLessThan(0.08)
      expect(source.length).toBeGreaterThan(10)
      expect(asOf).toMatch(/^20\d\d-[01]\d-[0-3]\d$/)
    }
  })

  test.each([
    ['48201', 'MI', '0.06'],
    ['00501', 'NY', '0.04'],
    ['20001', 'DC', '0.06'],
    ['90210', 'CA', '0.0725'],
    ['97201', 'OR', '0'],
    ['00901', 'PR', 'Unavailable'],
    ['09012', 'AE', 'Unavailable'],
    ['00001', null, 'Unavailable'],
  ])('%s is in %s: %s', async (zip, state, rate) => {
    expect(await own.rateOf(zip)).toMatchObject({ state, rate })
  })

  // R-trades-41: the 46 places with a sales tax, without D.C., California, Hawaii, Maryland and Virginia.
  test('gives a credit in 41 states', () => {
    expect(countCreditStates()).toBe(41)
  })

  test('has a zero rate for the five states without a sales tax', () => {
    const free = [...stateRates].filter(([, { rate }]) => rate === '0').map(([state]) => state)
    expect(free.sort()).toEqual(['AK', 'DE', 'MT', 'NH', 'OR'])
  })
})

describe('a provider', () => {
  test('receives the ZIP code and the key, and its rate is used at full precision', async () => {
    const { asked, rates } = await aProvider(
      saying([{ zip_code: '48201', state_rate: '0.060000', total_rate: '0.06' }]),
    )
    const today = new Date().toISOString().slice(0, 10)
    const found = await rates.rateOf('48201')
    expect(found).toMatchObject({ state: 'MI', rate: '0.060000' })
    expect([today, new Date().toISOString().slice(0, 10)]).toContain(found.asOf)
    expect(asked).toEqual([{ url: '/v1/salestax?plan=free&zip_code=48201', key: 'secret' }])
  })

  test('is not asked when its answer would change nothing', async () => {
    const { asked, rates } = await aProvider(saying([{ state_rate: '0.05' }]))
    expect(await rates.rateOf('90210')).toMatchObject({ state: 'CA', rate: '0.0725' })
    expect(await rates.rateOf('00000')).toMatchObject({ state: null })
    expect(asked).toEqual([])
  })

  test.each([
    ['a premium text', [{ state_rate: 'This data is for premium subscribers only.' }], 'Unavailable'],
    ['no rate', [{ zip_code: '48201' }], 'Unavailable'],
    ['null', [{ state_rate: null }], 'Unavailable'],
    ['an empty list', [], 'Unavailable'],
    ['a percentage', [{ state_rate: '6.0' }], 'Unavailable'],
    ['a negative rate', [{ state_rate: '-0.06' }], 'Unavailable'],
    ['a number', [{ state_rate: 0.06 }], '0.06'],
    ['something else', 'null', 'Unavailable'],
    ['no JSON', '<html>', 'Error'],
    ['nothing', '', 'Error'],
    ['too much', `[{"state_rate":"0.06","x":"${'x'.repeat(70_000)}"}]`, 'Error'],
  ])('returns the expected rate for a body with %s', async (_name, body, rate) => {
    const { rates } = await aProvider(saying(body))
    expect((await rates.rateOf('48201')).rate).toBe(rate)
  })

  test.each([401, 404, 429, 500, 503])('returns Error when the provider responds with %d', async (status) => {
    const { rates } = await aProvider(saying([{ state_rate: '0.06' }], status))
    expect((await rates.rateOf('48201')).rate).toBe('Error')
  })

  test('returns an error when it redirects', async () => {
    const elsewhere = await aProvider(saying([{ state_rate: '0.09' }]))
    const { rates } = await aProvider((_request, response) => {
      response.writeHead(302, { location: elsewhere.url.href }).end()
    })
    expect((await rates.rateOf('48201')).rate).toBe('Error')
    expect(elsewhere.asked).toEqual([])
  })

  test('is given up when it hangs or stops in the middle of a response', async () => {
    const { rates } = await aProvider((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[{"state_rate":')
    })
    const began = performance.now()
    expect((await rates.rateOf('48201')).rate).toBe('Error')
    expect(performance.now() - began).toBeLessThan(providerTimeoutMs + 500)
  })

  test('returns an error when it is unreachable', async () => {
    const rates = createTaxRates({ taxApi: { url: new URL('http://127.0.0.1:9/'), key: null } })
    expect((await rates.rateOf('48201')).rate).toBe('Error')
  })
})
