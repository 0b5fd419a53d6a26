import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { photoTypes } from '@keyturn/contract/shared/photo.ts'
import { photoErrors } from '@keyturn/contract/shared/photo-texts.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * The largest form is a car with a 1,000-character message; it fits into 64 KiB in any alphabet.
 */
export const bodyLimit = 64 * 1024
/** The deepest body in the contract has four levels. */
const maxDepth = 10

/**
 * Accepts JSON only. Rejects bodies that two parsers could read differently: keys that change
 * prototypes, duplicate keys, invalid UTF-8 and deep nesting.
 */
export function registerJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = Buffer.from(body)
    if (request.routeOptions.config?.call?.callers.includes('partner')) {
      // The signature covers the bytes, and is verified before they are parsed.
      request.sentBody = bytes
      return done(null, undefined)
    }
    const parsed = parseJson(bytes)
    if (parsed === invalid) done(apiErrors.BadRequest())
    else done(null, parsed)
  })
}

/** Parses the body of an endpoint that accepts signatures. Throws `BadRequest`. */
export function parseSentBody({ sentBody }: FastifyRequest): unknown {
  const parsed = sentBody && parseJson(sentBody)
  if (parsed === invalid) throw apiErrors.BadRequest()
  return parsed
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The raw body, if the endpoint accepts signatures. */
    sentBody?: Buffer
  }
}

/** Upload endpoints read the stream themselves after authorization; all others return 415. */
export function registerUploadParser(app: FastifyInstance): void {
  app.addContentTypeParser([...photoTypes], (request: FastifyRequest, bytes: Readable, done) => {
    if (request.routeOptions.config?.call?.uploads) done(null, bytes)
    else done(apiErrors.UnsupportedMediaType())
  })
}

/** `length` is the declared `Content-Length`. */
export type Upload = { bytes: Readable; length: number | null }

export function readUpload({ body, headers }: FastifyRequest): Upload {
  if (!(body instanceof Readable)) throw photoErrors.NotAPhoto()
  const length = headers['content-length']
  return { bytes: body, length: length === undefined ? null : Number(length) }
}

const invalid = Symbol('not what we read')

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  return isUtf8(bytes) ? parse(bytes.toString()) : invalid
}

function parse(text: string): unknown {
  const { depth, pairs } = shapeOf(text)
  if (depth > maxDepth) return invalid
  try {
    const value: unknown = JSON.parse(text)
    return countPairs(value) === pairs ? value : invalid
  } catch {
    return invalid
  }
}

/** Counts nesting depth and key-value pairs without parsing. */
function shapeOf(json: string): { depth: number; pairs: number } {
  let level = 0
  let depth = 0
  let pairs = 0
  let isInString = false
  let isEscaped = false
  for (const c of json) {
    if (isEscaped) isEscaped = false
    else if (c === '\\') isEscaped = true
    else if (c === '"') isInString = !isInString
    else if (isInString) continue
    else if (c === ':') pairs++
    else if (c === '{' || c === '[') depth = Math.max(depth, ++level)
    else if (c === '}' || c === ']') level--
  }
  return { depth, pairs }
}

/** Counts keys after parsing: fewer than sent if one is duplicated, NaN if a value is forbidden. */
function countPairs(value: unknown): number {
  if (typeof value === 'string') return unstorable.test(value) ? Number.NaN : 0
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countPairs(one), 0)
  return Object.entries(value ?? {}).reduce(
    (sum, [key, one]) =>
      sum + (prototypeKeys.test(key) || unstorable.test(key) ? Number.NaN : 1) + countPairs(one),
    0,
  )
}

const prototypeKeys = /^(__proto__|constructor|prototype)$/
/** NUL and lone surrogates: the database would not store exactly what was signed. */
const unstorable = /[\0\p{Cs}]/u
