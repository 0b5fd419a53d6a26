import type { CarBody } from '@keyturn/contract/shared/car-illustrations.ts'
import { expect, onTestFinished, test } from 'vitest'
import { namesInScripts } from '../../../../tests/support/papers/names-in-scripts.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { drawPreview, drawPreviewOverPhoto, previewPhotoWidth } from './preview-card.ts'
import { createPreviews } from './previews.ts'

const server = await startTestServer()

const names = ['ground', 'text', 'quiet', 'brand', 'paper', 'shell'] as const
const colors = Object.fromEntries(names.map((name) => [name, '#123456'])) as Record<
  (typeof names)[number],
  string
>
const aCard = (price: string, body: CarBody | null = 'sedan') => ({
  body,
  color: 'Silver',
  title: '2003 Honda Accord EX',
  price,
  colors,
  photo: null,
})
function open(maxCached?: number) {
  const onFault = (fault: Error) => {
    throw fault
  }
  const previews = createPreviews({ deps: server.deps, maxCached, onFault })
  onTestFinished(() => previews.close())
  return previews
}

// R-cars-28
test('is drawn once for concurrent and later requests', async () => {
  const previews = open()
  const [one, other] = await Promise.all([previews.read(aCard('$1'), 'a'), previews.read(aCard('$1'), 'b')])
  expect(other).toBe(one)
  expect(await previews.read(aCard('$1'), 'c')).toBe(one)
})

test('caches only the newest up to the limit', async () => {
  const previews = open(2)
  const [first, second, third] = [
    await previews.read(aCard('$1'), 'a'),
    await previews.read(aCard('$2'), 'a'),
    await previews.read(aCard('$3'), 'a'),
  ]
  expect(await previews.read(aCard('$2'), 'a')).toBe(second)
  expect(await previews.read(aCard('$3'), 'a')).toBe(third)
  expect(await previews.read(aCard('$1'), 'a')).not.toBe(first)
})

test('shows the body of the car, and text that never becomes markup', () => {
  expect(drawPreview(aCard('$1', 'pickup'))).not.toBe(drawPreview(aCard('$1', 'van')))
  for (const draw of [drawPreview, drawPreviewOverPhoto]) {
    const svg = draw({ ...aCard('$1'), title: '</svg><script>x</script>' })
    expect(svg).not.toContain('script')
    expect(svg.match(/<svg/g)?.length).toBe(svg.match(/<\/svg>/g)?.length)
  }
})

// R-deals-102
test.each([namesInScripts.Japanese, namesInScripts.Arabic, namesInScripts.Hindi])(
  'draws %s as outlines of its script',
  (title) => {
    const outlinesOf = (text: string) =>
      drawPreview({ ...aCard('$1'), title: `Kia ${text}` }).match(/ d="[^"]+"/g) ?? []
    const usual: string[] = outlinesOf('')
    const missing: string[] = outlinesOf('\ufffd')
    const drawn: string[] = outlinesOf(title)
    const [replacement] = missing.filter((outline) => !usual.includes(outline))
    expect(replacement).toBeDefined()
    expect(drawn).not.toContain(replacement)
    expect(drawn.length).toBeGreaterThan(usual.length + 4)
  },
)

test('truncates a name that is too long for the picture', () => {
  const widest = ({ title }: { title: string }) =>
    drawPreview({ ...aCard('$1'), title }).match(/<path transform/g)?.length
  expect(widest({ title: 'W'.repeat(200) })).toBeLessThan(60)
})

test('reads the smallest file of a photo that fills the picture', () => {
  const widthFor = (width: number, height: number) => previewPhotoWidth({ id: '', width, height })
  expect([
    widthFor(1920, 1440),
    widthFor(1920, 2560),
    widthFor(1920, 800),
    widthFor(900, 1600),
    widthFor(640, 480),
  ]).toEqual([1280, 1280, 1920, 900, 640])
})
