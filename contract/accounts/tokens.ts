import { z } from 'zod'
import { defineEndpoint, scopes } from '../shared/endpoint.ts'
import { currentPassword, id, isoTime, line, okResponse } from '../shared/fields.ts'
import { tokenLifetimeDays } from './rules.ts'
import { tokenTexts } from './token-texts.ts'

// Personal access tokens (R-accounts-68 to R-accounts-73). No endpoint of this file has a scope.

export const personalToken = z.object({
  _id: id,
  name: z.string(),
  /** The first characters of the token. */
  start: z.string(),
  scopes: z.array(z.enum(scopes)),
  createdAt: isoTime,
  expiresAt: isoTime,
  /** At most an hour behind; null: never used. */
  lastUsedAt: isoTime.nullable(),
  /** The network address of that use; of an IPv6 address the first 64 bits. */
  lastNetwork: z.string().nullable(),
  isExpired: z.boolean(),
})
export type PersonalToken = z.output<typeof personalToken>

/** Newest first; without revoked ones. */
export const listTokens = defineEndpoint('GET /user/tokens', {
  callers: ['trader'],
  response: z.array(personalToken),
})

/** The only response that contains a token. Not idempotent, because it would then be stored. */
export const createToken = defineEndpoint('POST /user/tokens', {
  callers: ['trader'],
  body: z.object({
    name: line(60, tokenTexts.nameInvalid),
    scopes: z
      .array(z.enum(scopes, tokenTexts.scopesInvalid), tokenTexts.scopesInvalid)
      .min(1, tokenTexts.scopesInvalid)
      .max(scopes.length, tokenTexts.scopesInvalid),
    days: z
      .int(tokenTexts.daysInvalid)
      .min(1, tokenTexts.daysInvalid)
      .max(tokenLifetimeDays.max, tokenTexts.daysInvalid)
      .default(tokenLifetimeDays.preset),
    currentPassword,
  }),
  response: z.object({ token: z.string(), created: personalToken }),
  status: 201,
  errors: ['TooManyTokens', 'ReauthenticationRequired', 'HashQueueFull'],
})

export const revokeToken = defineEndpoint('DELETE /user/tokens/:tokenId', {
  callers: ['trader'],
  params: z.object({ tokenId: id }),
  response: okResponse,
  errors: ['NotFound'],
})
