import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import { currentPassword, id, isoTime, line, okResponse } from '../shared/fields.ts'
import { user } from './endpoints.ts'
import { passkeyTexts } from './passkey-texts.ts'

// Requests and responses have the JSON forms of WebAuthn Level 3; bytes are base64url.

const bytes = (maxCharacters: number) =>
  z
    .string(passkeyTexts.unreadable)
    .min(1, passkeyTexts.unreadable)
    .max(maxCharacters, passkeyTexts.unreadable)
    .regex(/^[A-Za-z0-9_-]*$/, passkeyTexts.unreadable)
/** A credential's id has at most 1,023 bytes. */
const credentialId = bytes(1364)
const part = <T extends z.ZodRawShape>(shape: T) => z.object(shape, passkeyTexts.unreadable)

export const passkey = z.object({
  _id: id,
  name: z.string(),
  createdAt: isoTime,
  lastUsedAt: isoTime.nullable(),
})
export type Passkey = z.output<typeof passkey>

/** Options of a sign-in. They name no credential, so they say nothing about accounts. */
export const startPasskeySignIn = defineEndpoint('POST /auth/passkey/start', {
  callers: ['anyone'],
  response: z.object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.number(),
    userVerification: z.literal('required'),
  }),
})

export const signInWithPasskey = defineEndpoint('POST /auth/passkey/login', {
  callers: ['anyone'],
  body: z.object({
    credential: part({
      id: credentialId,
      response: part({
        clientDataJSON: bytes(4096),
        authenticatorData: bytes(4096),
        signature: bytes(8192),
        userHandle: bytes(128),
      }),
    }),
  }),
  response: user,
  errors: ['InvalidPasskey'],
})

export const listPasskeys = defineEndpoint('GET /user/passkeys', {
  callers: ['verified'],
  response: z.object({
    passkeys: z.array(passkey),
    /** The person signed in with the password just now, and may be offered a passkey. */
    isOffered: z.boolean(),
  }),
})

/** Options of a new passkey, after the password or a recent sign-in. */
export const startAddingPasskey = defineEndpoint('POST /user/passkeys/start', {
  callers: ['verified'],
  body: z.object({ currentPassword }),
  response: z.object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
    timeout: z.number(),
    excludeCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key') })),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  }),
  errors: ['ReauthenticationRequired', 'TooManyPasskeys', 'HashQueueFull'],
})

export const addPasskey = defineEndpoint('POST /user/passkeys', {
  callers: ['verified'],
  body: z.object({
    credential: part({
      id: credentialId,
      response: part({ clientDataJSON: bytes(4096), attestationObject: bytes(32_768) }),
    }),
  }),
  response: passkey,
  status: 201,
  errors: ['PasskeyNotAdded', 'TooManyPasskeys'],
})

export const renamePasskey = defineEndpoint('PATCH /user/passkeys/:passkeyId', {
  callers: ['verified'],
  params: z.object({ passkeyId: id }),
  body: z.object({ name: line(60, passkeyTexts.nameRequired) }),
  response: passkey,
  errors: ['NotFound'],
})

export const removePasskey = defineEndpoint('DELETE /user/passkeys/:passkeyId', {
  callers: ['verified'],
  params: z.object({ passkeyId: id }),
  body: z.object({ currentPassword }),
  response: okResponse,
  errors: ['NotFound', 'ReauthenticationRequired', 'HashQueueFull'],
})

/** Ends the offer of a passkey after sign-in, on all devices. */
export const dismissPasskeyOffer = defineEndpoint('POST /user/passkeys/dismiss', {
  callers: ['verified'],
  response: okResponse,
})
