import { refuse } from '@keyturn/contract/kit/refusal.ts'
import type { FastifyInstance } from 'fastify'

/** The largest form we have is a car with a 1,000-character message; 64 KiB leaves room for any alphabet. */
export const bodyLimit = 64 * 1024
/** Our deepest body has four levels. */
const deepest = 10

/** JSON only; keys that reach for prototypes, NULs and towers of brackets are refused before anything reads them. */
export function readJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') return done(null, undefined)
    if (/\\u0000/i.test(text) || text.includes('\0') || depthOf(text) > deepest)
      return done(refuse.BadRequest())
    void parseJson(request, text, done)
  })
}

function depthOf(json: string): number {
  let depth = 0
  let max = 0
  let inString = false
  for (let i = 0; i < json.length; i++) {
    const c = json.charCodeAt(i)
    if (inString) {
      if (c === 92) i++
      else if (c === 34) inString = false
    } else if (c === 34) inString = true
    else if (c === 123 || c === 91) max = Math.max(max, ++depth)
    else if (c === 125 || c === 93) depth--
  }
  return max
}
