import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { create } from 'fontkit'
import { expect, test } from 'vitest'
import { buildPages, findMissingRules, openAppWithPages, requestPage } from '../../../tests/support/pages.ts'
import { aListing } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { cut } from '../../../tools/page-styles.mjs'

const server = await startTestServer()
const app = await openAppWithPages(server)
const { at } = await aListing(server)
const link = new URLSearchParams(at).toString()
const addresses = ['/', '/privacy', '/verify', '/login', '/register/buyer'].concat(
  ['/car', '/buy-this-car'].map((path) => `${path}?${link}`),
)

const styleIn = (html: string) => /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? ''
const without = (html: string) => html.replace(/<(style|script)\b.*?<\/\1>/gs, '')

// R-everywhere-40
test('includes every style rule that a page uses, and few others', async () => {
  for (const address of addresses) {
    // `visit` fails if a rule is missing.
    const { body } = await requestPage(app, address)
    const style = styleIn(body)
    const words = new Set(without(body).match(/[\w-]+/g))
    const classes = [...new Set([...style.matchAll(/\.([a-z]{2}[A-Z]+)\b/g)].map(([, name = '']) => name))]
    const [used, foreign] = [true, false].map((is) => classes.filter((name) => words.has(name) === is))
    expect([address, (used?.length ?? 0) > 10, (foreign?.length ?? 0) < 40]).toEqual([address, true, true])
    const [one = ''] = used ?? []
    expect(findMissingRules(body.replace(style, style.replaceAll(`.${one}`, '.elsewhere')))).toContain(one)
  }
})

// R-everywhere-40
test('sends everything for the first paint in the first round trip', async () => {
  // Ten TCP segments (RFC 6928), less headers.
  const firstWindow = 10 * 1460 - 960
  for (const address of ['/', '/privacy', '/login', '/register/seller'])
    expect(brotliCompressSync((await requestPage(app, address)).body).length, address).toBeLessThan(
      firstWindow,
    )
  const car = await requestPage(app, `/car?${link}`, undefined, { 'accept-encoding': 'gzip' })
  expect(car.rawPayload.length).toBeLessThan(firstWindow)
})

// R-everywhere-40
test('loads one font that covers all characters of our texts', async () => {
  const fetched = new Set<string>()
  for (const address of addresses) {
    const { body } = await requestPage(app, address)
    expect(body).not.toMatch(/<link [^>]*as="font"/)
    const file = /const f='\/(assets\/[^']*)'/.exec(body)?.[1] ?? ''
    fetched.add(file)
    const face = styleIn(body).match(/@font-face\{[^}]*english[^}]*\}/g) ?? []
    expect([address, face.length, face[0]?.includes(file)]).toEqual([address, 1, true])
    const ranges = [...(face[0] ?? '').matchAll(/U\+([0-9a-f?]+)(?:-([0-9a-f]+))?/gi)].map(rangeOf)
    const shown = without(body).replace(
      /<svg\b.*?<\/svg>|<(script|template|dialog|title)\b.*?<\/\1>|<[^>]*>|&[^;]*;/gs,
      ' ',
    )
    const others = [...new Set(shown)].filter(
      (letter) => !/[\s←→]/.test(letter) && !ranges.some(([from, to]) => isIn(letter, from, to)),
    )
    expect([address, others]).toEqual([address, []])
  }
  const [file = ''] = fetched
  expect([fetched.size, file]).toEqual([1, expect.stringMatching(/^assets\/source-sans-3-english-/)])
  const bytes = readFileSync(new URL(file, buildPages()))
  expect(bytes.length).toBeLessThan(14_000)
  const { characterSet } = create(bytes) as { characterSet: number[] }
  expect(characterSet).toEqual(
    expect.arrayContaining([...'AZaz09$’–…'].map((letter) => letter.codePointAt(0))),
  )
})

const rangeOf = ([, from = '', to]: RegExpMatchArray): [number, number] => [
  Number.parseInt(from.replaceAll('?', '0'), 16),
  Number.parseInt(to ?? from.replaceAll('?', 'F'), 16),
]
const isIn = (letter: string, from: number, to: number) => {
  const code = letter.codePointAt(0) ?? 0
  return from <= code && code <= to
}

test('keeps or drops a style module as a whole, but library rules individually', () => {
  const css =
    '.abA{color:red}.abB:hover{color:red}.acA{color:red}.m_1[data-open]{color:red}.m_2{color:red}' +
    '@font-face{font-family:a;src:url(/assets/kept.woff2)}@font-face{font-family:b;src:url(/assets/gone.woff2)}'
  const left = cut({ css, html: '<p class="abA m_1">acB m_20</p>', faces: /kept/ })
  expect(left).toMatch(/\.abA.*\.abB:hover.*\.m_1\[data-open\]/)
  expect(left).not.toMatch(/\.acA|\.m_2|gone/)
  expect(left).toContain('kept')
})
