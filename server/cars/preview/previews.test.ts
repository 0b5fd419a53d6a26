import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deleteCar } from '@keyturn/contract/deals/calls.ts'
import type { CarBody } from '@keyturn/contract/kit/car-drawings.ts'
import { afterAll, expect, test } from 'vitest'
import { aListing } from '../../test/deals.ts'
import { openHouse } from '../../test/house.ts'
import { photoWidth, svgOf, svgOverPhoto } from './preview-card.ts'
import { openPreviews } from './previews.ts'

const house = await openHouse()
const root = mkdtempSync(join(tmpdir(), 'keyturn-previews-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let opened = 0

const names = ['ground', 'text', 'quiet', 'brand', 'paper', 'shell', 'line'] as const
const colors = Object.fromEntries(names.map((name) => [name, '#123456'])) as Record<
  (typeof names)[number],
  string
>
const aCard = (price: string, body: CarBody | null = 'sedan') => ({
  body,
  title: '2003 Honda Accord EX',
  price,
  colors,
  photo: null,
})
const listed = (price: string, carId = 'a'.repeat(24)) => ({ carId, card: aCard(price) })
const faults: Error[] = []
function open(most?: number) {
  const folder = join(root, `${opened++}`)
  const start = () => openPreviews({ deps: house.deps, folder, most, onFault: (fault) => faults.push(fault) })
  return { folder, start, previews: start() }
}

// R-cars-28
test('is drawn once for all who ask at once, and kept for the next start', async () => {
  const { previews, start } = open()
  const [one, other] = await Promise.all([previews.read(listed('$1'), 'a'), previews.read(listed('$1'), 'b')])
  expect(other).toBe(one)
  await previews.close()
  // Closed, it can draw nothing more.
  const next = start()
  await next.close()
  expect(Buffer.from(await next.read(listed('$1'), 'a'))).toEqual(Buffer.from(one))
  await expect(next.read(listed('$2'), 'a')).rejects.toThrow()
})

test('no more are kept than there is room for, the newest among them', async () => {
  const { folder, previews } = open(3)
  for (const price of ['$10', '$11', '$12', '$13', '$14'])
    await previews.read(listed(price, price.slice(1).padEnd(24, 'a')), 'a')
  expect(readdirSync(folder)).toHaveLength(3)
  await previews.close()
  await expect(previews.read(listed('$14', '14'.padEnd(24, 'a')), 'a')).resolves.toBeDefined()
  expect(faults).toEqual([])
})

test('of a listing one is kept: what it looked like before goes when its next is drawn', async () => {
  const { folder, previews } = open()
  for (const price of ['$10', '$11', '$12']) await previews.read(listed(price), 'a')
  expect(readdirSync(folder)).toHaveLength(1)
  await previews.close()
})

// R-cars-27
test('what is kept of a listing goes with it, and so does whatever else lies there', async () => {
  const { folder, previews } = open()
  const [stays, goes] = [await aListing(house), await aListing(house)]
  for (const { car } of [stays, goes]) await previews.read(listed('$1', car._id), 'a')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${'0'.repeat(24)}.png`), 'of an earlier version')
  const params = { userType: 'SELLER', userId: goes.seller.id, vin: goes.car.vin } as const
  await goes.seller.ask(deleteCar, { params })
  await previews.sweep()
  expect(readdirSync(folder)).toEqual([expect.stringContaining(stays.car._id)])
  await previews.close()
})

test('shows the body of the car, and words that never become markup', () => {
  expect(svgOf(aCard('$1', 'pickup'))).not.toBe(svgOf(aCard('$1', 'van')))
  for (const draw of [svgOf, svgOverPhoto]) {
    const svg = draw({ ...aCard('$1'), title: '</svg><script>x</script>' })
    expect(svg).not.toContain('script')
    expect(svg.match(/<\/svg>/g)).toHaveLength(1)
  }
})

test('a name that is far too long is cut to fit the picture', () => {
  const widest = ({ title }: { title: string }) =>
    svgOf({ ...aCard('$1'), title }).match(/<path transform/g)?.length
  expect(widest({ title: 'W'.repeat(200) })).toBeLessThan(60)
})

test('of a photo the smallest file is read that fills the picture', () => {
  const of = (width: number, height: number) => photoWidth({ id: '', width, height })
  expect([of(1920, 1440), of(1920, 2560), of(1920, 800), of(900, 1600), of(640, 480)]).toEqual([
    1280, 1280, 1920, 900, 640,
  ])
})
