import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { FoundPerson, PersonState, Suspension } from '@keyturn/contract/accounts/suspensions.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { findSuspensions, type SuspensionRow } from '../../accounts/people/suspension.ts'
import type { UserRow } from '../../accounts/tables.ts'
import { deviceName } from '../../notifications/push/device-name.ts'
import * as store from './people-repository.ts'

export async function searchPeople(db: Db, search: string): Promise<FoundPerson[]> {
  return search === '' ? [] : (await store.findPeople(db, { search })).map(toFoundPerson)
}

/** Everything that an administrator needs to decide about a person (R-accounts-60). */
export async function readPersonState(db: Db, userId: string): Promise<PersonState> {
  const [user] = await store.findAnyone(db, { id: userId })
  if (!user) throw apiErrors.NotFound()
  const [sessions, listings, deals, suspensions] = await Promise.all([
    store.findOpenSessions(db, { userId }),
    store.findListingsOfPerson(db, { userId }),
    store.findOpenDealsOfPerson(db, { userId }),
    findSuspensions(db, { userId }),
  ])
  return {
    ...toFoundPerson(user),
    phoneNumber: user.phoneNumber,
    sessions: sessions.map(({ id, userAgent, signedInAt }) => ({
      _id: id,
      device: deviceName(userAgent ?? ''),
      signedInAt: signedInAt?.toISOString() ?? null,
    })),
    listings: listings.map(({ id, vin, completedAt, ...car }) => ({
      _id: id,
      car: nameOf(car),
      vin,
      isSold: completedAt !== null,
    })),
    deals: deals.map((deal) => toOpenDeal(deal, userId)),
    suspensions: suspensions.map(toSuspension),
  }
}

const nameOf = ({ model, ...car }: store.OpenDeal['car']) => carName({ ...car, carModel: model })

const toOpenDeal = (deal: store.OpenDeal, userId: string): PersonState['deals'][number] => ({
  _id: deal.id,
  car: nameOf(deal.car),
  isSeller: deal.sellerId === userId,
  other: { _id: deal.other.id, name: fullName(deal.other) },
  isPassed: deal.passedAt !== null,
})

const toFoundPerson = (row: UserRow): FoundPerson => ({
  _id: row.id,
  firstName: row.firstName,
  lastName: row.lastName,
  email: row.email ?? '',
  userType: row.userType,
  verified: row.verifiedAt !== null,
  isSuspended: row.suspendedAt !== null,
  isDeleted: row.deletedAt !== null,
  createdAt: row.createdAt.toISOString(),
})

const toSuspension = (row: SuspensionRow): Suspension => ({
  _id: row.id,
  reason: row.reason,
  note: row.note ?? '',
  suspendedAt: row.suspendedAt.toISOString(),
  suspendedBy: row.suspendedBy,
  liftedAt: row.liftedAt?.toISOString() ?? null,
  liftedBy: row.liftedBy,
})
