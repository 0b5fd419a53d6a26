import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openHouse } from '../test/house.ts'

const folder = mkdtempSync(join(tmpdir(), 'keyturn-testimonials-'))
afterAll(() => rmSync(folder, { recursive: true }))

// R-everywhere-37
test('what nobody has said is labelled as a sample', async () => {
  const { isSample, said } = await ask(await openHouse())
  expect(isSample).toBe(true)
  expect(said.length).toBeGreaterThan(0)
})

test('in production samples are left out until the operator has put their own', async () => {
  const file = join(folder, 'said.json')
  const own = [{ name: 'Ana', stars: 5, text: 'Two evenings, no stranger in my car.' }]
  writeFileSync(file, JSON.stringify(own))
  expect(await ask(await openHouse(production))).toEqual({ isSample: true, said: [] })
  const house = await openHouse({ ...production, TESTIMONIALS_FILE: file })
  expect(await ask(house)).toEqual({ isSample: false, said: own })
  writeFileSync(file, JSON.stringify([{ ...own[0], stars: 6 }]))
  expect(await ask(house)).toEqual({ isSample: false, said: [] })
})

const production = {
  NODE_ENV: 'production',
  SESSION_SECRET: 'x'.repeat(32),
  PUBLIC_URL: 'https://keyturn.example',
  RATE_LIMITS: 'on',
}

async function ask({ app }: Awaited<ReturnType<typeof openHouse>>) {
  return (await app.inject({ url: '/testimonials.json' })).json()
}
