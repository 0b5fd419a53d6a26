import type { suspendPerson as suspendCall } from '@keyturn/contract/accounts/suspensions.ts'
import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { newOwnedId } from '../../../platform/database/new-id.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { Administrator } from '../../../platform/http/authorization.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import { recordAdminEvent } from '../../accounts/administrator/admin-events.ts'
import { accountSuspendedEmail, suspensionLiftedEmail } from '../../accounts/emails.ts'
import { voidCodes } from '../../accounts/people/email-code-repository.ts'
import { findSuspensions, insertSuspension, markSuspensionLifted } from '../../accounts/people/suspension.ts'
import { deletePendingAddress, lockUser } from '../../accounts/people/user-repository.ts'
import { endedBySuspension } from '../../accounts/sessions/session-repository.ts'
import { sessionStores } from '../../accounts/sessions/sessions.ts'
import type { UserRow } from '../../accounts/tables.ts'
import { revokeTokensOf } from '../../accounts/tokens/token-repository.ts'
import { publishChange } from '../../notifications/events/publish-change.ts'
import { publishTradeChange } from '../../trades/notify.ts'
import { readDealView } from '../deal-view-repository.ts'
import { notifyPaused, notifyResumed } from '../notify.ts'
import { lockCarsOfPerson } from '../repository.ts'
import { findOpenDealIds, findPeopleOfCars, lockTradesOfPerson } from './people-repository.ts'

/** Continues what waited for a deal in the modules above this one. */
export type ResumeDeal = (tx: Db, dealId: string) => Promise<void>

/**
 * Suspends an account: ends its sessions and access tokens, and notifies the other parties of its
 * open deals. Listings, deals and trades read the person's row, so lifting restores them. Sessions and
 * access tokens stay ended (R-accounts-60, decision 84). Throws `AlreadySuspended`.
 */
export async function suspendPerson(
  deps: Deps,
  administrator: Administrator,
  userId: string,
  { reason, note }: EndpointInput<typeof suspendCall>['body'],
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const person = await lockAccount(tx, userId)
    if (person.suspendedAt) throw accountErrors.AlreadySuspended()
    const affected = await lockAffected(tx, userId)
    const before = await readOpenDeals(tx, userId)
    const id = newOwnedId(userId)
    await insertSuspension(tx, { id, userId, reason, note, by: administrator.username })
    await recordAdminEvent(tx, administrator, {
      act: 'suspendedPerson',
      personId: userId,
      subject: id,
      after: { reason },
    })
    await sessionStores.user.endSessionsOf(tx, userId, endedBySuspension)
    await revokeTokensOf(tx, { userId })
    // A thief of the account may have asked for another address, and would verify it later.
    if ((await deletePendingAddress(tx, { id: userId })).length > 0) await voidCodes(tx, userId, ['verify'])
    // The other party of a deal that was paused before already knows.
    for (const view of before) if (!view.isPaused) await notifyPaused(deps, tx, view, userId)
    const facts = { reason, note, writeTo: deps.config.supportContact }
    await enqueueEmail(deps, tx, { id: userId, email: person.email }, accountSuspendedEmail(facts))
    await affected.publish()
  })
  deps.log.warn({ event: 'account suspended', user: userId, by: administrator.username, reason }, 'security')
}

/** Lifts one suspension. Repeating it changes nothing (R-accounts-65). */
export async function liftSuspension(
  deps: Deps,
  administrator: Administrator,
  { userId, suspensionId }: { userId: string; suspensionId: string },
  resumeDeal: ResumeDeal,
): Promise<void> {
  const isLifted = await transaction(deps.db, async (tx) => {
    const person = await lockAccount(tx, userId)
    const known = await findSuspensions(tx, { userId })
    if (!known.some(({ id }) => id === suspensionId)) throw apiErrors.NotFound()
    const affected = await lockAffected(tx, userId)
    const lifted = await markSuspensionLifted(tx, { id: suspensionId, by: administrator.username })
    const event = { act: 'liftedSuspension', personId: userId, subject: suspensionId } as const
    await recordAdminEvent(tx, administrator, { ...event, after: { wasSuspended: lifted.length > 0 } })
    if (lifted.length === 0) return false
    for (const view of await readOpenDeals(tx, userId)) {
      // The other party may be suspended too.
      if (view.isPaused) continue
      await notifyResumed(deps, tx, view, userId)
      await resumeDeal(tx, view.deal.id)
    }
    await enqueueEmail(deps, tx, { id: userId, email: person.email }, suspensionLiftedEmail(deps.config))
    await affected.publish()
    return true
  })
  if (isLifted)
    deps.log.warn({ event: 'suspension lifted', user: userId, by: administrator.username }, 'security')
}

/** Ends a person's sessions and access tokens; they can sign in again. */
export async function endSessionsOfPerson(
  deps: Deps,
  administrator: Administrator,
  userId: string,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    await lockAccount(tx, userId)
    await sessionStores.user.endSessionsOf(tx, userId, 'ended by an administrator')
    await revokeTokensOf(tx, { userId })
    await recordAdminEvent(tx, administrator, { act: 'endedPersonSessions', personId: userId })
  })
  deps.log.warn({ event: 'sessions ended', user: userId, by: administrator.username }, 'security')
}

async function lockAccount(tx: Db, id: string): Promise<UserRow & { email: string }> {
  const [user] = await lockUser(tx, { id })
  if (!user?.email) throw apiErrors.NotFound()
  return { ...user, email: user.email }
}

/**
 * Locks the person's cars and trades in the global order, so that every move under way ends first
 * and every later one sees the suspension.
 */
async function lockAffected(tx: Db, userId: string): Promise<{ publish: () => Promise<void> }> {
  const cars = await lockCarsOfPerson(tx, { personId: userId })
  const trades = await lockTradesOfPerson(tx, { userId })
  return {
    publish: async () => {
      const people = await findPeopleOfCars(tx, { carIds: cars.map(({ carId }) => carId) })
      await publishChange(
        tx,
        people.map(({ id }) => id),
        'cars',
        'deals',
        'trades',
      )
      await publishTradeChange(
        tx,
        trades.map(({ ownerId }) => ownerId),
      )
    },
  }
}

async function readOpenDeals(tx: Db, userId: string) {
  const open = await findOpenDealIds(tx, { userId })
  return Promise.all(open.map(({ id }) => readDealView(tx, id)))
}
