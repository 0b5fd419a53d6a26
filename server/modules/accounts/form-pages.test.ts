import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { expect, test } from 'vitest'
import { buildPages, openAppWithPages, requestPage } from '../../../tests/support/pages.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

const server = await startTestServer()
const app = await openAppWithPages(server)
const { login, register } = accountTexts
const formIn = (html: string) =>
  /<form.*?<\/form>/s.exec(html.replace(/<template.*?<\/template>/gs, ''))?.[0] ?? ''

// R-everywhere-43
test('renders the complete sign-in and registration forms, which never submit values in a URL', async () => {
  for (const [path, words, fields] of [
    ['/login', [login.title, login.forgot, login.register], ['email', 'password']],
    [
      '/register/seller',
      [register.sellerTitle, register.sellerLead, register.terms],
      ['firstName', 'lastName', 'email', 'phoneNumber', 'password', 'confirmPassword', 'vin'],
    ],
    ['/register', [register.sellerTitle], ['firstName']],
    ['/register/buyer', [register.buyerTitle, register.buyerLead], ['vin']],
  ] as const) {
    const { statusCode, body, headers } = await requestPage(app, path)
    expect([path, statusCode, headers['cache-control']]).toEqual([path, 200, 'no-cache'])
    for (const word of words) expect(body).toContain(word)
    for (const name of fields) expect(formIn(body)).toContain(`name="${name}"`)
    expect(formIn(body)).toMatch(/^<form[^>]* method="post"/)
  }
})

// R-everywhere-43
test('loads one script of at most 110 kB on these pages', async () => {
  for (const path of ['/login', '/register/buyer', '/buy-this-car']) {
    const { body } = await requestPage(app, path)
    const scripts = [...body.matchAll(/<script [^>]*src="\/([^"]*)"/g)].map(([, file = '']) =>
      readFileSync(new URL(file, buildPages())),
    )
    expect([path, scripts.length]).toEqual([path, 1])
    expect(gzipSync(scripts[0] ?? '').length).toBeLessThan(110_000)
    // The address of the passkey script is on the page; everything else is in this file.
    expect(scripts[0]?.toString()).not.toMatch(/\bimport\s*["{]|\bimport\(\s*["'`]/)
  }
})

// R-cars-15
test('fills in the form from the link, and shows an error for an invalid link', async () => {
  const seller = 'f'.repeat(24)
  const good = await requestPage(app, `/register/buyer?userId=${seller}&vin=%201hgcm82633a004352`)
  expect(formIn(good.body)).toContain('value="1HGCM82633A004352"')
  expect(good.body).not.toContain(register.brokenLink)
  expect(good.headers['cache-control']).toBe('no-store')
  for (const query of [`userId=nobody&vin=1HGCM82633A004352`, `userId=${seller}&vin="><script>`]) {
    const { body } = await requestPage(app, `/register/buyer?${query.replace('"><', '%22%3E%3C')}`)
    expect(body).toContain(register.brokenLink)
    expect(formIn(body)).toContain('value=""')
    expect(body).not.toContain('"><script>')
  }
})
