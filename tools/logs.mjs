import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** No secret is shorter: this much of each is looked up first. */
const beginning = 8

/**
 * Looks in every log file under a folder for what the tests have noted in its `secrets.txt`, as it is and as an address
 * or JSON would write it. Says where, never what.
 */
export function lookForSecrets(folder) {
  const noted = join(folder, 'secrets.txt')
  const secrets = new Set(existsSync(noted) ? readFileSync(noted, 'utf8').split('\n').filter(Boolean) : [])
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.log'))
  const written = [...secrets].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64url'),
  ])
  const index = indexOf(new Set(written))
  const texts = files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
  return {
    files: texts.filter(({ text }) => text !== '').length,
    secrets: secrets.size,
    found: texts.flatMap(({ file, text }) => linesWith(text, index).map((line) => `${file}:${line}`)),
  }
}

/** Calls that answered with a code that they do not declare, told by the servers that ran as processes of their own. */
export function undeclaredIn(folder) {
  const lines = readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.log'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
    .filter((line) => line.includes('"msg":"undeclared refusal"'))
  return [...new Set(lines.map((line) => JSON.parse(line)).map(({ call, code }) => `${call} ${code}`))]
}

/** By how they begin, so that thousands of them cost one walk through the text. */
function indexOf(secrets) {
  const index = new Map()
  for (const secret of secrets) {
    const key = secret.slice(0, beginning)
    index.set(key, [...(index.get(key) ?? []), secret])
  }
  return index
}

function linesWith(text, index) {
  const lines = new Set()
  let line = 1
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\n') line++
    const known = index.get(text.slice(at, at + beginning))
    if (known?.some((secret) => text.startsWith(secret, at))) lines.add(line)
  }
  return [...lines]
}
