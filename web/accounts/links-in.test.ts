import { expect, test } from 'vitest'
import { linksIn } from './links-in.ts'

test.each([
  [
    'Open http://localhost:3000/email/verify?code=aB-_1&vin=1HG to go on.',
    ['http://localhost:3000/email/verify?code=aB-_1&vin=1HG'],
  ],
  [
    'Here: https://keyturn.example/a.\nAnd (https://keyturn.example/b).',
    ['https://keyturn.example/a', 'https://keyturn.example/b'],
  ],
  ['Twice https://k.example/a [https://k.example/a]', ['https://k.example/a']],
  ['javascript:alert(1) and //evil.example and data:text/html,x', []],
  ['', []],
])('the links in %j', (text, links) => {
  expect(linksIn(text)).toEqual(links)
})
