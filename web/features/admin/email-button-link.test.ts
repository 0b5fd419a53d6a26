import { expect, test } from 'vitest'
import { findButtonLink } from './email-button-link.ts'

const button =
  '<p style="margin:0"><a href="http://localhost:3000/email/verify?code=aB-_1&amp;vin=1HG" style="x">Go</a></p>'

test.each([
  [button, 'http://localhost:3000/email/verify?code=aB-_1&vin=1HG'],
  [
    `<p>See https://evil.example/pay or www.evil.example</p>${button}`,
    'http://localhost:3000/email/verify?code=aB-_1&vin=1HG',
  ],
  ['<p>&lt;a href=&quot;https://evil.example&quot;&gt;Go&lt;/a&gt; https://evil.example</p>', null],
  ['<p><a href="javascript:alert(1)">Go</a></p>', null],
  ['', null],
])('finds in %j only the link of our own button', (html, link) => {
  expect(findButtonLink(html)).toBe(link)
})
