import { crc32 } from 'node:zlib'
import { tokenPrefix } from '../../../platform/http/authorization.ts'
import { newToken } from '../sessions/cookies.ts'

/**
 * Creates a personal access token: `kt_`, 32 random bytes and their checksum, in base64url. The
 * checksum lets secret scanners tell a token from similar text (decision 86).
 */
export function createTokenText(random: string = newToken()): string {
  return `${tokenPrefix}${random}${checksumOf(random)}`
}

/** Returns whether the text can be a token; anything else needs no query. */
export function isTokenText(text: string): boolean {
  const [, random = '', checksum] = tokenShape.exec(text) ?? []
  return checksum !== undefined && checksum === checksumOf(random)
}

/** Enough to recognize a token, and far too little to guess the rest. */
export const startOf = (token: string): string => token.slice(0, tokenPrefix.length + 6)

const tokenShape = new RegExp(`^${tokenPrefix}([A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})$`)

function checksumOf(random: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(random))
  return bytes.toString('base64url')
}
