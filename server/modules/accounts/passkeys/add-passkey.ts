import { passkeyErrors } from '@keyturn/contract/accounts/passkey-texts.ts'
import type * as calls from '@keyturn/contract/accounts/passkeys.ts'
import { maxPasskeys, maxSignInAgeMs } from '@keyturn/contract/accounts/rules.ts'
import type { EndpointInput, EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import type { Deps } from '../../../deps.ts'
import { newOwnedId } from '../../../platform/database/new-id.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import { passkeyAddedEmail } from '../emails.ts'
import { toPasskey } from '../mappers.ts'
import { recordAccountEvent } from '../people/account-events.ts'
import { lockActingPerson } from '../people/lock-person.ts'
import type { Visitor } from '../sessions/cookies.ts'
import { requirePassword } from '../sessions/step-up.ts'
import { authenticatorName } from './authenticator-name.ts'
import { challengeOf, challengeTtlMs, consumeChallenge, createChallenge } from './challenges.ts'
import { findPasskeys, insertPasskey } from './passkey-repository.ts'
import { loadWebAuthn, relyingPartyOf } from './relying-party.ts'

/**
 * Returns the options of a new passkey. Their challenge also proves the password to `addPasskey`
 * (R-accounts-45). The user handle is the id, which names nobody.
 */
export async function startAddingPasskey(
  deps: Deps,
  actor: UserActor,
  currentPassword: string | undefined,
): Promise<EndpointOutput<typeof calls.startAddingPasskey>> {
  const { user } = await requirePassword(deps, actor, currentPassword, maxSignInAgeMs)
  const existing = await findPasskeys(deps.db, { owner: actor.id })
  if (existing.length >= maxPasskeys) throw passkeyErrors.TooManyPasskeys()
  const { id: rpID, name: rpName } = relyingPartyOf(deps.config)
  const { generateRegistrationOptions } = await loadWebAuthn()
  const options = await generateRegistrationOptions({
    rpID,
    rpName,
    userID: new Uint8Array(Buffer.from(actor.id)),
    userName: user.email ?? '',
    userDisplayName: `${user.firstName} ${user.lastName}`,
    challenge: await createChallenge(deps.db, actor.sessionId),
    timeout: challengeTtlMs,
    attestationType: 'none',
    excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    supportedAlgorithmIDs: algorithms,
  })
  return options as EndpointOutput<typeof calls.startAddingPasskey>
}

/** ES256, EdDSA and RS256: fixed, because the library's default depends on the version of Node. */
const algorithms = [-7, -8, -257]

type Credential = EndpointInput<typeof calls.addPasskey>['body']['credential']

export async function addPasskey(deps: Deps, visitor: Visitor, actor: UserActor, credential: Credential) {
  const verified = await verifyNewPasskey(deps, actor.sessionId, credential)
  const { id: userId, sessionId } = actor
  const added = await transaction(deps.db, async (tx) => {
    const user = await lockActingPerson(tx, actor)
    if ((await findPasskeys(tx, { owner: userId })).length >= maxPasskeys)
      throw passkeyErrors.TooManyPasskeys()
    const [row] = await insertPasskey(tx, {
      id: newOwnedId(userId),
      owner: userId,
      credentialId: Buffer.from(verified.credential.id, 'base64url'),
      publicKey: Buffer.from(verified.credential.publicKey),
      signCount: verified.credential.counter,
      name: authenticatorName(verified.aaguid, visitor.userAgent),
    })
    if (!row) throw passkeyErrors.PasskeyNotAdded()
    await recordAccountEvent(tx, { userId, actor: 'PERSON', event: 'passkeyAdded', sessionId })
    await enqueueEmail(deps, tx, { id: userId, email: user.email }, passkeyAddedEmail(deps.config, row.name))
    return row
  })
  deps.log.info({ event: 'passkey added', user: userId, ip: visitor.ip }, 'account')
  return toPasskey(added)
}

async function verifyNewPasskey(deps: Deps, sessionId: string, { id, response }: Credential) {
  const { id: expectedRPID, origin: expectedOrigin } = relyingPartyOf(deps.config)
  // Database errors must not look like a bad response.
  const challenge = challengeOf(response.clientDataJSON)
  if (!challenge || !(await consumeChallenge(deps.db, challenge, sessionId)))
    throw passkeyErrors.PasskeyNotAdded()
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch((error: unknown) => {
    deps.log.info({ event: 'passkey rejected', because: String(error) }, 'account')
    return { registrationInfo: undefined }
  })
  if (!registrationInfo) throw passkeyErrors.PasskeyNotAdded()
  return registrationInfo
}
