import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** No secret is shorter than this, so secrets can be looked up by this prefix. */
const prefixLength = 8

/**
 * Searches every log file under a folder for the secrets that the tests recorded in `secrets.txt`,
 * plain or encoded. Returns locations (`file:line`), never secrets.
 */
export function findSecrets(folder) {
  const secrets = secretsOf(folder)
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.log'))
  const index = indexOf(new Set(writtenForms(secrets)))
  const texts = files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
  return {
    files: texts.filter(({ text }) => text !== '').length,
    secrets: secrets.size,
    found: texts.flatMap(({ file, text }) => linesWith(text, index).map((line) => `${file}:${line}`)),
  }
}

/** Returns a line that `findSecrets` found, without its secrets. */
export function withoutSecrets(folder, location) {
  const [, file = '', row = ''] = /^(.*):(\d+)$/.exec(location) ?? []
  const line = readFileSync(join(folder, file), 'utf8').split('\n')[Number(row) - 1] ?? ''
  const longestFirst = writtenForms(secretsOf(folder)).sort((one, other) => other.length - one.length)
  return longestFirst.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line)
}

function secretsOf(folder) {
  const noted = join(folder, 'secrets.txt')
  return new Set(existsSync(noted) ? readFileSync(noted, 'utf8').split('\n').filter(Boolean) : [])
}

const writtenForms = (secrets) =>
  [...secrets].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64url'),
  ])

/** Returns undeclared error codes of responses, as logged by servers in separate processes. */
export function undeclaredIn(folder) {
  const lines = readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.log'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
    .filter((line) => line.includes('"msg":"undeclared error"'))
  return [...new Set(lines.map((line) => JSON.parse(line)).map(({ call, code }) => `${call} ${code}`))]
}

/** Indexes secrets by prefix, so that one pass through a text finds thousands of secrets. */
function indexOf(secrets) {
  const index = new Map()
  for (const secret of secrets) {
    const key = secret.slice(0, prefixLength)
    index.set(key, [...(index.get(key) ?? []), secret])
  }
  return index
}

function linesWith(text, index) {
  const lines = new Set()
  let line = 1
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\n') line++
    const candidates = index.get(text.slice(at, at + prefixLength))
    if (candidates?.some((secret) => text.startsWith(secret, at))) lines.add(line)
  }
  return [...lines]
}
