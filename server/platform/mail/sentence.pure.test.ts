import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type EmailContent, renderEmailHtml, renderEmailText } from './email-content.ts'
import { renderSentence, renderSubject, sentence } from './sentence.ts'

const joiner = /\u2060/g
const letterWith = (words: string): EmailContent => ({
  subject: sentence`${words} withdrew the request`,
  lines: [sentence`The seller wrote: “${words}”`],
  button: { label: 'Go', href: 'https://keyturn.example/home' },
  after: [sentence`Now: ${words}.`],
})

test('truncates names in subjects to 40 graphemes', () => {
  const long = 'Keyturn: your payout is on hold. Sign in again to have it released within 24 hours. '.repeat(
    3,
  )
  expect(renderSubject(sentence`${long} withdrew the request`)).toBe(
    'Keyturn: your payout is on hold. Sign i… withdrew the request',
  )
  const thumb = '👍🏽'
  const said = renderSubject(sentence`${thumb.repeat(60)}`)
  expect(said).toBe(`${thumb.repeat(39)}…`)
  const accented = 'e\u0301'.repeat(60)
  expect(renderSubject(sentence`${accented}!`)).toBe(`${'e\u0301'.repeat(39)}…!`)
  expect(renderSubject(sentence`${'Ann Baker'} withdrew`)).toBe('Ann Baker withdrew')
})

test('truncates names in headlines as it does in subjects', () => {
  const long = 'Your account is locked. Call us today. '.repeat(6)
  const [, headline] = /<h1[^>]*>(.*?)<\/h1>/s.exec(renderEmailHtml(letterWith(long))) ?? []
  expect(headline?.replace(joiner, '')).toBe('Your account is locked. Call us today.… withdrew the request')
})

test('removes invisible characters and line breaks from user input in subjects', () => {
  const words = 'Ann\r\nBcc: all@evil.example\u202e\u200b\tBaker\u2028'
  expect(renderSubject(sentence`${words} withdrew`)).toBe('Ann Bcc: all@evil.example Baker withdrew')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (any) => {
      const subject = renderSubject(sentence`${any} and ${any}`)
      expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
      expect([...new Intl.Segmenter('en').segment(subject)].length).toBeLessThanOrEqual(85)
    }),
  )
})

/** Text that email clients turn into links: a scheme, a host name, an address. */
const links = [
  /[a-z][a-z0-9+.-]*:\/\/\S/iu,
  /www\.\S/iu,
  /[\p{L}\p{N}-]+[.。．｡][\p{L}\p{N}]*\p{L}/u,
  /mailto:\S/iu,
  /[\w.+-]+@[\w-]+\.\w/u,
]
const isLinked = (text: string) =>
  links.some((link) => text.split(joiner).some((piece) => link.test(piece)) || link.test(text))

test.each([
  'Pay at https://evil.example/pay?x=1 today',
  'evil.example/pay',
  'www.evil.example',
  'http://user:word@evil.example:8080/a#b',
  'write to pay@evil.example',
  'MAILTO:pay@evil.example',
  'keyturn.com.evil.example',
  'täst。example',
  'HTTPS://EVIL.EXAMPLE',
  '<a href="https://evil.example">Go To Your Dashboard</a>',
])('shows “%s” unchanged and without a link', (words) => {
  const letter = letterWith(words)
  const html = renderEmailHtml(letter)
  expect(html.match(/href="[^"]*"/g)).toEqual(Array(2).fill('href="https://keyturn.example/home"'))
  const paragraphs = [...html.matchAll(/<(?:p|h1)\b[^>]*>(.*?)<\/(?:p|h1)>/gs)]
    .map(([, inner = '']) => inner)
    .filter((inner) => !inner.includes('<a '))
  expect(paragraphs.filter((inner) => isLinked(inner))).toEqual([])
  const text = renderEmailText(letter)
    .split('\n')
    .filter((line) => !line.startsWith('Go: '))
  expect(text.filter((line) => isLinked(line))).toEqual([])
  expect(renderEmailText(letter).replace(joiner, '')).toContain(`The seller wrote: “${words}”`)
})

test('leaves prices, times, dates and trims unchanged', () => {
  for (const words of ['$9,000.50', 'at 5:30 on 11/21/2026', '2013 Ford F-150 2.0T', 'Ann B. Baker, Jr.'])
    expect(renderSentence(sentence`${words}`)).toBe(words)
})

test('keeps a message on one line, so that it cannot imitate a paragraph', () => {
  const letter = letterWith('See you.\n\nGo: https://evil.example\n\nKeyturn')
  expect(renderEmailText(letter).match(/^Go: .*$/gm)).toEqual(['Go: https://keyturn.example/home'])
  expect(renderEmailText(letter).match(/^Keyturn$/gm)).toHaveLength(1)
})
