import { passkeyErrors } from '@keyturn/contract/accounts/passkey-texts.ts'
import type * as calls from '@keyturn/contract/accounts/passkeys.ts'
import type { EndpointInput, EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import { isApiError } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { startSignInAttempt } from '../../../platform/rate-limits/sign-in-attempts.ts'
import { consumeLimit, networkOf, throttleLimits } from '../../../platform/rate-limits/throttles.ts'
import { toUser } from '../mappers.ts'
import type { SignInResult } from '../people/registration.ts'
import { lockUser } from '../people/user-repository.ts'
import { deviceProof, type Visitor } from '../sessions/cookies.ts'
import { storeKnownNetwork } from '../sessions/known-networks.ts'
import { lifetimesOf, startSession } from '../sessions/sessions.ts'
import type { PasskeyRow } from '../tables.ts'
import { challengeOf, challengeTtlMs, consumeChallenge, createChallenge } from './challenges.ts'
import { advancePasskey, findPasskeyOfCredential, findPasskeys } from './passkey-repository.ts'
import { loadWebAuthn, relyingPartyOf } from './relying-party.ts'

/** Returns the same options to everybody, except for the challenge (R-accounts-44). */
export async function startPasskeySignIn(
  deps: Deps,
  visitor: Visitor,
): Promise<EndpointOutput<typeof calls.startPasskeySignIn>> {
  await consumeLimit(deps, throttleLimits.passkeyStartFromIp, networkOf(visitor.ip))
  const challenge = Buffer.from(await createChallenge(deps.db, null)).toString('base64url')
  const { id: rpId } = relyingPartyOf(deps.config)
  return { challenge, rpId, timeout: challengeTtlMs, userVerification: 'required' }
}

type Credential = EndpointInput<typeof calls.signInWithPasskey>['body']['credential']

/**
 * Signs in with a discoverable passkey whose authenticator has verified the person (R-accounts-43).
 * Only failures count, apart from those of passwords: keys cannot be guessed, and an owner must not
 * wait for a stranger's guesses (decision 18).
 */
export async function signInWithPasskey(
  deps: Deps,
  visitor: Visitor,
  credential: Credential,
): Promise<SignInResult> {
  const { ip, userAgent: agent } = visitor
  const attempt = await startSignInAttempt(deps, [
    { rule: throttleLimits.passkeyFromIp, subject: networkOf(ip), refundOnly: true },
  ])
  try {
    const { passkey, signCount } = await verifyPasskey(deps, credential)
    const signedIn = await openSession(deps, visitor, passkey, signCount)
    await attempt.succeed()
    deps.log.info({ event: 'signed in with a passkey', user: passkey.owner, ip, agent }, 'account')
    return signedIn
  } catch (error) {
    if (!isApiError(error, 'InvalidPasskey')) await attempt.refund()
    else deps.log.info({ event: 'sign-in with a passkey failed', ip, agent }, 'account')
    throw error
  }
}

/** The counter is compared by `openSession`, in the statement that advances it. */
async function verifyPasskey(
  deps: Deps,
  { id, response }: Credential,
): Promise<{ passkey: PasskeyRow; signCount: number }> {
  const challenge = challengeOf(response.clientDataJSON)
  if (!challenge || !(await consumeChallenge(deps.db, challenge, null))) throw passkeyErrors.InvalidPasskey()
  const [passkey] = await findPasskeyOfCredential(deps.db, { credentialId: Buffer.from(id, 'base64url') })
  if (!passkey || Buffer.from(response.userHandle, 'base64url').toString() !== passkey.owner)
    throw passkeyErrors.InvalidPasskey()
  const { id: expectedRPID, origin: expectedOrigin } = relyingPartyOf(deps.config)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const verified = await verifyAuthenticationResponse({
    response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    credential: { id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    deps.log.info({ event: 'passkey rejected', user: passkey.owner, because: String(error) }, 'account')
    return null
  })
  if (!verified?.verified) throw passkeyErrors.InvalidPasskey()
  return { passkey, signCount: verified.authenticationInfo.newCounter }
}

/** Finds the passkey again under the lock of its owner, because it may have just been removed. */
async function openSession(
  deps: Deps,
  visitor: Visitor,
  { id, owner }: PasskeyRow,
  signCount: number,
): Promise<SignInResult> {
  const signedIn = await transaction(deps.db, async (tx) => {
    const [user] = await lockUser(tx, { id: owner })
    if (!user?.email) return null
    const [advanced] = await advancePasskey(tx, { id, signCount })
    if (!advanced) return null
    const lasting = lifetimesOf(user.userType)
    const tokens = await startSession(deps, tx, visitor, { kind: 'user', owner, lasting, withPasskey: true })
    await storeKnownNetwork(deps, tx, visitor, owner)
    return { user: toUser(deps.config, user), tokens, proof: deviceProof(user) }
  })
  if (signedIn) return signedIn
  // A counter that goes back is a sign of a copied key.
  if ((await findPasskeys(deps.db, { owner })).some((one) => one.id === id))
    deps.log.warn(
      { event: 'passkey counter went back', user: owner, passkey: id, ip: visitor.ip },
      'security',
    )
  throw passkeyErrors.InvalidPasskey()
}
