import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CarBody } from '@keyturn/contract/kit/car-drawings.ts'
import { afterAll, expect, test } from 'vitest'
import { svgOf } from './preview-card.ts'
import { openPreviews } from './previews.ts'

const folder = mkdtempSync(join(tmpdir(), 'keyturn-previews-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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
})
const faults: Error[] = []
const open = (most?: number) => openPreviews({ folder, most, onFault: (fault) => faults.push(fault) })

// R-cars-28
test('is drawn once for all who ask at once, and kept for the next start', async () => {
  const previews = open()
  const [one, other] = await Promise.all([previews.read(aCard('$1'), 'a'), previews.read(aCard('$1'), 'b')])
  expect(other).toBe(one)
  await previews.close()
  // Closed, it can draw nothing more.
  expect(Buffer.from(await previews.read(aCard('$1'), 'a'))).toEqual(Buffer.from(one))
  await expect(previews.read(aCard('$2'), 'a')).rejects.toThrow()
})

test('no more are kept than there is room for, the newest among them', async () => {
  const previews = open(3)
  for (const price of ['$10', '$11', '$12', '$13', '$14']) await previews.read(aCard(price), 'a')
  expect(readdirSync(folder)).toHaveLength(3)
  await previews.close()
  await expect(previews.read(aCard('$14'), 'a')).resolves.toBeDefined()
  expect(faults).toEqual([])
})

test('shows the body of the car, and words that never become markup', () => {
  expect(svgOf(aCard('$1', 'pickup'))).not.toBe(svgOf(aCard('$1', 'van')))
  const svg = svgOf({ ...aCard('$1'), title: '</svg><script>x</script>' })
  expect(svg).not.toContain('script')
  expect(svg.match(/<\/svg>/g)).toHaveLength(1)
})

test('a name that is far too long is cut to fit the picture', () => {
  const widest = ({ title }: { title: string }) =>
    svgOf({ ...aCard('$1'), title }).match(/<path transform/g)?.length
  expect(widest({ title: 'W'.repeat(200) })).toBeLessThan(60)
})
