import { eq, sql } from 'drizzle-orm'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { cars } from '../../cars/tables.ts'
import { deals } from '../../deals/tables.ts'
import { packages } from '../tables.ts'

/** Data of drafts that the package does not contain; `today` is the current time. */
export const findCarOfPackage = prepareQuery('find-car-of-package', (db, p: Placeholders<{ id: string }>) =>
  db
    .select({
      zipCode: cars.zipCode,
      bodyClass: cars.bodyClass,
      today: sql<Date>`keyturn_now()`.mapWith(deals.createdAt),
    })
    .from(packages)
    .innerJoin(deals, eq(deals.id, packages.dealId))
    .innerJoin(cars, eq(cars.id, deals.carId))
    .where(eq(packages.id, p.id)),
)
