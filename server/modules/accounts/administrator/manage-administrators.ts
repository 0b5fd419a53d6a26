import type { AdminChange } from '@keyturn/contract/accounts/admin-acts.ts'
import type {
  AdministratorChange,
  acceptInvitation as acceptCall,
  inviteAdministrator as inviteCall,
  ListedAdministrator,
} from '@keyturn/contract/accounts/administrators.ts'
import { sessionLifetimes } from '@keyturn/contract/accounts/rules.ts'
import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Config } from '../../../config.ts'
import type { Deps } from '../../../deps.ts'
import { now } from '../../../platform/database/columns.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { type Db, transaction, violatedConstraint } from '../../../platform/database/open-database.ts'
import type { Administrator } from '../../../platform/http/authorization.ts'
import {
  consumeLimit,
  networkOf,
  refundLimit,
  throttleLimits,
} from '../../../platform/rate-limits/throttles.ts'
import { unknownNetworkEmail } from '../emails.ts'
import { hashPassword, requireStrongPassword } from '../people/passwords.ts'
import { deviceProof, hashToken, newToken, type Tokens, type Visitor } from '../sessions/cookies.ts'
import { deleteKnownNetworks, storeKnownNetwork } from '../sessions/known-networks.ts'
import { adminSessions } from '../sessions/session-repository.ts'
import { startSession } from '../sessions/sessions.ts'
import type { AdministratorRow } from '../tables.ts'
import { recordAdminEvent } from './admin-events.ts'
import * as store from './administrator-repository.ts'
import { emailOperator } from './email-operator.ts'

type WithInvitation = { administrator: ListedAdministrator; invitation: string | null }

export const listAdministrators = async (deps: Deps, { id }: Administrator): Promise<ListedAdministrator[]> =>
  (await store.listAll(deps.db, {})).map((row) => toAdministrator(row, id))

/** Returns the link, which is not stored, for the operator to pass on (R-accounts-54). */
export async function inviteAdministrator(
  deps: Deps,
  by: Administrator,
  { name, username, role }: EndpointInput<typeof inviteCall>['body'],
): Promise<WithInvitation> {
  if (username === deps.config.admin?.username.toLowerCase()) throw accountErrors.NameTaken()
  const id = newId()
  const code = newToken()
  try {
    return await transaction(deps.db, async (tx) => {
      await store.insertAdministrator(tx, { id, name, username, role, invitationHash: hashToken(code) })
      await recordAdminEvent(tx, by, {
        act: 'invitedAdministrator',
        subject: id,
        after: { username, role },
      })
      return readChanged(deps, tx, by, id, code)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'one_administrator_per_username') throw accountErrors.NameTaken()
    throw error
  }
}

/**
 * Sets the password of an invited administrator, and signs in. Nobody has codes yet: a new
 * invitation removes them (R-accounts-54).
 */
export async function acceptInvitation(
  deps: Deps,
  visitor: Visitor,
  { code, password }: EndpointInput<typeof acceptCall>['body'],
): Promise<{ tokens: Tokens; proof: string }> {
  const ip = networkOf(visitor.ip)
  await consumeLimit(deps, throttleLimits.adminFromIp, ip)
  const [invited] = await store.findInvited(deps.db, { hash: hashToken(code) })
  if (!invited) throw accountErrors.InvalidInvitation()
  await refundLimit(deps, throttleLimits.adminFromIp, ip)
  const { name, username } = invited
  await requireStrongPassword(password, { firstName: name, lastName: '', email: username })
  const passwordHash = await hashPassword(password)
  return transaction(deps.db, async (tx) => {
    const [row] = await store.lockInvited(tx, { hash: hashToken(code) })
    if (!row) throw accountErrors.InvalidInvitation()
    await store.saveAdministrator(tx, row.id, {
      passwordHash,
      invitationHash: null,
      invitationExpiresAt: null,
    })
    await storeKnownNetwork(deps, tx, visitor, row.id)
    await emailOperator(deps, tx, unknownNetworkEmail(deps.config, row.username, visitor))
    const sessionId = newId()
    const administrator = { ...row, sessionId, ip: visitor.ip }
    await recordAdminEvent(tx, administrator, { act: 'acceptedInvitation', subject: row.id })
    const lasting = sessionLifetimes.administrator
    const session = { kind: 'administrator', owner: row.id, id: sessionId, lasting } as const
    return {
      tokens: await startSession(deps, tx, visitor, session),
      proof: deviceProof({ id: row.id, passwordHash }),
    }
  })
}

/** Nobody changes their own account, so the one who acts remains an operator (R-accounts-54). */
export function changeAdministrator(
  deps: Deps,
  by: Administrator,
  id: string,
  change: AdministratorChange,
): Promise<WithInvitation> {
  if (id === by.id) throw accountErrors.OwnAccount()
  return transaction(deps.db, async (tx) => {
    const operators = await store.lockOperators(tx, {})
    if (by.id !== null && operators.every((one) => one.id !== by.id)) throw apiErrors.OperatorRequired()
    const [row] = await store.lockById(tx, { id })
    if (!row) throw apiErrors.NotFound()
    const code = change === 'inviteAgain' ? newToken() : null
    await apply(tx, row, change, code)
    const [changed = row] = await store.lockById(tx, { id })
    await recordAdminEvent(tx, by, {
      act: acts[change],
      subject: id,
      before: valuesOf(row),
      after: valuesOf(changed),
    })
    return readChanged(deps, tx, by, id, code)
  })
}

const acts: Record<AdministratorChange, AdminChange> = {
  makeSupport: 'changedRole',
  makeOperator: 'changedRole',
  disable: 'disabledAdministrator',
  enable: 'enabledAdministrator',
  endSessions: 'endedSessions',
  removeCodes: 'resetCodes',
  inviteAgain: 'invitedAdministrator',
}

/** A change of rights shows in open sessions; what takes access away also ends them. */
async function apply(
  tx: Db,
  { id }: AdministratorRow,
  change: AdministratorChange,
  code: string | null,
): Promise<void> {
  const endSessions = () => adminSessions.endSessionsOf(tx, id, `administrator: ${change}`)
  switch (change) {
    case 'makeSupport':
      return store.saveAdministrator(tx, id, { role: 'SUPPORT' })
    case 'makeOperator':
      return store.saveAdministrator(tx, id, { role: 'OPERATOR' })
    case 'enable':
      return store.saveAdministrator(tx, id, { disabledAt: null })
    case 'disable':
      await store.saveAdministrator(tx, id, { disabledAt: now })
      break
    case 'removeCodes':
      await store.saveAdministrator(tx, id, { totpSecret: null, totpConfirmedAt: null })
      await store.replaceRecoveryCodes(tx, id, [])
      break
    case 'inviteAgain':
      await store.saveAdministrator(tx, id, {
        passwordHash: null,
        invitationHash: hashToken(code ?? ''),
        invitationExpiresAt: store.invitationEnd as never,
        totpSecret: null,
        totpConfirmedAt: null,
      })
      await store.replaceRecoveryCodes(tx, id, [])
      await deleteKnownNetworks(tx, id)
      break
    case 'endSessions':
  }
  await endSessions()
}

async function readChanged(
  { config }: Deps,
  tx: Db,
  by: Administrator,
  id: string,
  code: string | null,
): Promise<WithInvitation> {
  const [row] = await store.lockById(tx, { id })
  if (!row) throw apiErrors.NotFound()
  return { administrator: toAdministrator(row, by.id), invitation: code && invitationLink(config, code) }
}

/** The code is in the fragment, which no proxy or log receives. */
const invitationLink = ({ publicUrl }: Config, code: string): string =>
  `${new URL('/dev/invitation', publicUrl).href}#code=${code}`

const valuesOf = ({ role, disabledAt, totpConfirmedAt }: AdministratorRow) => ({
  role,
  isDisabled: disabledAt !== null,
  hasCodes: totpConfirmedAt !== null,
})

const toAdministrator = (
  row: AdministratorRow & { isInvited: boolean },
  callerId: string | null,
): ListedAdministrator => ({
  _id: row.id,
  name: row.name,
  username: row.username,
  role: row.role,
  state: row.disabledAt ? 'DISABLED' : row.passwordHash ? 'ACTIVE' : row.isInvited ? 'INVITED' : 'EXPIRED',
  hasCodes: row.totpConfirmedAt !== null,
  isMe: row.id === callerId,
})
