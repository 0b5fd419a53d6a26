import type { DealPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { desc, eq, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import { users } from '../accounts/tables.ts'
import { deals } from '../deals/tables.ts'
import { packages } from './tables.ts'

// Fully signed deals and their packages.

/** As in packages of all versions. */
type SignedCar = Pick<DealPackage['car'], 'vin' | 'year' | 'make' | 'carModel' | 'trim'>

const seller = alias(users, 'seller')
const buyer = alias(users, 'buyer')

export const findPackage = prepareQuery('find-package', (db, p: Placeholders<{ id: string }>) =>
  db
    .select({
      id: packages.id,
      dealId: packages.dealId,
      contents: packages.contents,
      dealerId: deals.dealerId,
      createdAt: packages.createdAt,
      sellerId: deals.sellerId,
      buyerId: deals.buyerId,
      completedAt: deals.completedAt,
      withdrawnAt: deals.withdrawnAt,
      /** False once both signed a later agreement of the same deal. */
      isCurrent: sql<boolean>`${deals.packageId} is not distinct from ${packages.id}`,
      sellerLeft: sql<boolean>`${seller.deletedAt} is not null`,
      buyerLeft: sql<boolean>`${buyer.deletedAt} is not null`,
    })
    .from(packages)
    .innerJoin(deals, eq(deals.id, packages.dealId))
    .innerJoin(seller, eq(seller.id, deals.sellerId))
    .innerJoin(buyer, eq(buyer.id, deals.buyerId))
    .where(eq(packages.id, p.id)),
)
/** Newest first. Nobody lists more: the limit bounds the response. */
export const findAgreementsOf = prepareQuery(
  'find-agreements-of',
  (db, p: Placeholders<{ userId: string }>) =>
    db
      .select({
        id: packages.id,
        car: sql<SignedCar>`${packages.contents} -> 'car'`,
        createdAt: packages.createdAt,
      })
      .from(packages)
      .innerJoin(deals, eq(deals.id, packages.dealId))
      .where(or(eq(deals.sellerId, p.userId), eq(deals.buyerId, p.userId)))
      .orderBy(desc(packages.createdAt))
      .limit(200),
)

export const insertPackage = async (
  tx: Db,
  row: { id: string; dealId: string; contents: unknown },
): Promise<void> => {
  await tx.insert(packages).values(row)
}
