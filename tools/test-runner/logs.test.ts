import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lookForSecrets, undeclaredIn, withoutSecrets } from './logs.mjs'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const password = 'quiet harbour é "9"'
const token = 'AbC-_0123456789AbC-_0123456789AbC-_01234567'

// R-everywhere-24
test.each([
  ['as it is', `{"msg":"tried ${token}"}`, ['server.log:2']],
  ['in an address', `{"url":"/auth?x=${encodeURIComponent(password)}"}`, ['server.log:2']],
  ['inside of JSON', JSON.stringify({ body: password }), ['server.log:2']],
  ['encoded', Buffer.from(password).toString('base64url'), ['server.log:2']],
  ['only its beginning', `{"msg":"${token.slice(0, 30)}"}`, []],
  ['not at all', '{"msg":"answered"}', []],
])('a secret in a log is found: %s', (_, line, found) => {
  const folder = aFolder({ 'server.log': `{"msg":"begun"}\n${line}\n` })
  expect(lookForSecrets(folder)).toEqual({ files: 1, secrets: 2, found })
})

test('shows a line without its secret', () => {
  const folder = aFolder({ 'server.log': `{"msg":"begun"}\n{"err":"tried ${token}","msg":"unexpected"}\n` })
  expect(withoutSecrets(folder, 'server.log:2')).toBe('{"err":"tried [secret]","msg":"unexpected"}')
})

test('finds an undeclared error code in a log', () => {
  const line = { level: 50, call: 'GET /a', code: 'StaleVersion', msg: 'undeclared error' }
  const folder = aFolder({ 'one/keyturn.log': `${JSON.stringify(line)}\n{"msg":"answered"}\n` })
  expect(undeclaredIn(folder)).toEqual(['GET /a StaleVersion'])
  expect(undeclaredIn(aFolder({ 'server.log': '{"msg":"answered"}\n' }))).toEqual([])
})

test('reads logs in subfolders and ignores other files', () => {
  const folder = aFolder({ 'one/keyturn.log': token, 'report.json': token, 'empty.log': '' })
  expect(lookForSecrets(folder)).toEqual({ files: 1, secrets: 2, found: ['one/keyturn.log:1'] })
})

test('reports nothing without recorded secrets', () => {
  const folder = aFolder({ 'server.log': 'x', 'secrets.txt': '' })
  expect(lookForSecrets(folder)).toEqual({ files: 1, secrets: 0, found: [] })
})

function aFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-logs-'))
  folders.push(folder)
  const noted = { 'secrets.txt': `${password}\n${token}\n${token}\n` }
  for (const [name, text] of Object.entries({ ...noted, ...files })) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}
