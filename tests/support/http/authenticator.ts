import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import {
  addPasskey,
  signInWithPasskey,
  startAddingPasskey,
  startPasskeySignIn,
} from '@keyturn/contract/accounts/passkeys.ts'
import type { Browser } from '../browser.ts'
import type { TestPerson } from '../people.ts'

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')

/** Flags of authenticator data: user present, user verified, attested credential data. */
const flags = { present: 1, verified: 4, attested: 64 }

type Circumstances = { origin?: string; rpId?: string; isVerified?: boolean; count?: number }

/**
 * An authenticator with one ES256 key. It signs whatever it is asked to, so that tests can send
 * what no browser would.
 */
export function createAuthenticator(aaguid = Buffer.alloc(16)) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  const id = base64url(credentialId)
  // A COSE key in CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
  const coseKey = Buffer.concat([
    Buffer.from('a50102032620012158', 'hex'),
    Buffer.from([32]),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  let userHandle = ''

  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (rpId: string, flag: number, count: number) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    return Buffer.concat([sha256(rpId), Buffer.from([flag]), counter])
  }

  type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } }
  const create = (options: CreationOptions, { origin = defaultOrigin, ...how }: Circumstances = {}) => {
    userHandle = options.user.id
    const { rpId = options.rp.id, isVerified = true, count = 0 } = how
    const flag = flags.present | flags.attested | (isVerified ? flags.verified : 0)
    const data = Buffer.concat([
      authenticatorData(rpId, flag, count),
      aaguid,
      Buffer.from([0, credentialId.length]),
      credentialId,
      coseKey,
    ])
    // In CBOR: {"fmt": "none", "attStmt": {}, "authData": data}.
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([data.length]),
      data,
    ])
    const clientDataJSON = base64url(clientData('webauthn.create', options.challenge, origin))
    return { id, response: { clientDataJSON, attestationObject: base64url(attestationObject) } }
  }

  type RequestOptions = { challenge: string; rpId: string }
  const get = (options: RequestOptions, { origin = defaultOrigin, ...how }: Circumstances = {}) => {
    const { rpId = options.rpId, isVerified = true, count = 0 } = how
    const data = authenticatorData(rpId, flags.present | (isVerified ? flags.verified : 0), count)
    const client = clientData('webauthn.get', options.challenge, origin)
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
    return {
      id,
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle,
      },
    }
  }

  return {
    create,
    get,
    /** A well-formed sign-in whose challenge the server never sent. */
    forgedSignIn: () => {
      userHandle = userHandle || base64url('0'.repeat(24))
      return get({ challenge: base64url(randomBytes(32)), rpId: 'localhost' })
    },
    /** A well-formed new passkey, likewise. */
    forged: () =>
      create({ challenge: base64url(randomBytes(32)), rp: { id: 'localhost' }, user: { id: '' } }),
    addTo: async (person: TestPerson, how?: Circumstances) => {
      const options = await person.ask(startAddingPasskey, { body: {} })
      return person.send(addPasskey, { body: { credential: create(options, how) } })
    },
    signIn: async (browser: Browser, how?: Circumstances, headers: Record<string, string> = {}) => {
      const options = await browser.ask(startPasskeySignIn, {}, headers)
      return browser.send(signInWithPasskey, { body: { credential: get(options, how) } }, headers)
    },
  }
}

/** The origin of test servers (`PUBLIC_URL`). */
const defaultOrigin = 'http://localhost:3000'
