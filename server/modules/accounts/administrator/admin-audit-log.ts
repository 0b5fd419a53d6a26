import type { AdminEventValues } from '@keyturn/contract/accounts/admin-event-details.ts'
import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import { isAdminCaller } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import type { AdminAuditLog, AdminCall } from '../../../platform/http/register-endpoint.ts'
import { mails } from '../../../platform/mail/tables.ts'
import { cars } from '../../cars/tables.ts'
import { deals } from '../../deals/tables.ts'
import { trades } from '../../trades/tables.ts'
import { hasRecordedEvent, recordAdminLook, shownPeople } from './admin-events.ts'

/**
 * Records looks for every endpoint, and makes sure that a change has recorded itself. The row of a
 * look commits before the response leaves, so nobody sees data without a row (R-accounts-56).
 */
export const createAdminAuditLog = (deps: Deps): AdminAuditLog => ({
  admit(call, { mustEnroll, isConfirmed }) {
    if (mustEnroll && !call.isOpenBeforeEnrollment) throw apiErrors.CodesRequired()
    if (call.needsConfirmation && !isConfirmed) throw accountErrors.ReauthenticationRequired()
  },

  async finish({ administrator, user }, asked) {
    const { adminAct: act, callers, method, name } = asked.call
    if (!administrator || !act) return
    if (method !== 'GET') {
      // A person who is signed in as well may have acted in their own right, where people may.
      const isForPeople = callers.some((caller) => !isAdminCaller(caller) && caller !== 'partner')
      if (!(user && isForPeople) && !hasRecordedEvent(administrator))
        throw new Error(`${name} has recorded no event`)
      return
    }
    const found = [...new Set([...shownPeople(administrator), ...(await findPersons(deps, asked))])]
    // A look at one's own rows, in a browser where both are signed in, is no look at others.
    const persons = found.filter((id) => id !== user?.id)
    if (found.length > 0 && persons.length === 0) return
    const look = { act, subject: subjectOf(asked), after: valuesOf(asked.input.query) }
    await recordAdminLook(deps.db, administrator, look, persons)
  },
})

/** Returns the ids of the people whose rows an endpoint shows, as its path and query name them. */
async function findPersons(deps: Deps, { input, result }: AdminCall): Promise<string[]> {
  const { userId, id, pkgId, tradeId, mailId } = textsOf(input.params)
  const named = [userId, id, textsOf(input.query).buyerId, textsOf(result).buyerId]
  if (pkgId)
    for (const { sellerId, buyerId } of await findPartiesOfPackage(deps.db, { pkgId }))
      named.push(sellerId, buyerId)
  if (tradeId) for (const { ownerId } of await findOwner(deps.db, { tradeId })) named.push(ownerId)
  if (mailId)
    for (const mail of await findRecipient(deps.db, { mailId })) named.push(mail.userId ?? undefined)
  return named.filter((one) => one !== undefined)
}

/** The id of the row, unless it is a person's. */
function subjectOf({ input }: AdminCall): string | null {
  const { pkgId, tradeId, mailId, vin } = textsOf(input.params)
  return pkgId ?? tradeId ?? mailId ?? vin ?? null
}

/** Small values of a query, without a cursor and without what was typed, which may name a person. */
function valuesOf(query: unknown): AdminEventValues | null {
  const { cursor, search, ...rest } = textsOf(query)
  const values = Object.entries(rest).flatMap(([name, value]) => (value ? [[name, value.slice(0, 60)]] : []))
  return values.length > 0 ? Object.fromEntries(values) : null
}

const textsOf = (values: unknown): Record<string, string | undefined> =>
  typeof values === 'object' && values !== null
    ? Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'))
    : {}

export const findPartiesOfPackage = prepareQuery(
  'find-parties-of-package',
  (db, p: Placeholders<{ pkgId: string }>) =>
    db
      .select({ sellerId: cars.sellerId, buyerId: deals.buyerId })
      .from(deals)
      .innerJoin(cars, eq(cars.id, deals.carId))
      .where(eq(deals.packageId, p.pkgId)),
)

const findOwner = prepareQuery('find-owner-of-trade', (db, p: Placeholders<{ tradeId: string }>) =>
  db.select({ ownerId: trades.ownerId }).from(trades).where(eq(trades.id, p.tradeId)),
)

const findRecipient = prepareQuery('find-recipient-of-mail', (db, p: Placeholders<{ mailId: string }>) =>
  db.select({ userId: mails.userId }).from(mails).where(eq(mails.id, p.mailId)),
)
