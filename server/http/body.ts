import { isUtf8 } from 'node:buffer'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import type { FastifyInstance } from 'fastify'

/** The largest form we have is a car with a 1,000-character message; 64 KiB leaves room for any alphabet. */
export const bodyLimit = 64 * 1024
/** Our deepest body has four levels. */
const deepest = 10

/**
 * JSON only. What two readers could read differently is refused before anything reads it: keys that reach for
 * prototypes, the same key twice, what is no text, towers of brackets.
 */
export function readJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    const bytes = Buffer.from(body)
    if (bytes.length === 0) return done(null, undefined)
    const parsed = isUtf8(bytes) ? parse(bytes.toString()) : fault
    if (parsed === fault) done(refuse.BadRequest())
    else done(null, parsed)
  })
}

const fault = Symbol('not what we read')

function parse(text: string): unknown {
  const { depth, pairs } = shapeOf(text)
  if (depth > deepest || text.includes('\0')) return fault
  try {
    const value: unknown = JSON.parse(text)
    return countPairs(value) === pairs ? value : fault
  } catch {
    return fault
  }
}

/** How deep the brackets go, and how many keys with values are written: told without building anything. */
function shapeOf(json: string): { depth: number; pairs: number } {
  let level = 0
  let depth = 0
  let pairs = 0
  let inString = false
  for (let i = 0; i < json.length; i++) {
    const c = json.charCodeAt(i)
    if (inString) {
      if (c === backslash) i++
      else if (c === quote) inString = false
    } else if (c === quote) inString = true
    else if (c === colon) pairs++
    else if (c === openBrace || c === openBracket) depth = Math.max(depth, ++level)
    else if (c === closeBrace || c === closeBracket) level--
  }
  return { depth, pairs }
}

/** How many of them arrived: fewer, when a key came twice. No number at all for what we do not take. */
function countPairs(value: unknown): number {
  if (typeof value === 'string') return noText.test(value) ? Number.NaN : 0
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countPairs(one), 0)
  return Object.entries(value).reduce(
    (sum, [key, one]) => sum + (reaching.test(key) || noText.test(key) ? Number.NaN : 1) + countPairs(one),
    0,
  )
}

const reaching = /^(__proto__|constructor|prototype)$/
/** NUL, and halves of characters: the database would keep something else than what was sent and signed. */
const noText = /[\0\p{Cs}]/u

const [quote, colon, backslash] = [34, 58, 92]
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93]
