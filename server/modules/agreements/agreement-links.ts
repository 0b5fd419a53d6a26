import type { Party } from '@keyturn/contract/accounts/rules.ts'
import { eq, sql } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import { hashToken, newToken } from '../accounts/sessions/cookies.ts'
import { agreementLinks } from './tables.ts'

export type AgreementLinks = Record<Party, string>

/** Creates one link for each side; the tokens leave in its email and are stored as hashes (R-deals-111). */
export async function createAgreementLinks(
  tx: Db,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  packageId: string,
): Promise<AgreementLinks> {
  const tokens = { SELLER: newToken(), BUYER: newToken() }
  const parties = ['SELLER', 'BUYER'] as const
  await tx
    .insert(agreementLinks)
    .values(parties.map((party) => ({ hash: hashToken(tokens[party]), packageId, party })))
  const linkTo = (token: string) => new URL(`/agreements/${token}`, publicUrl).href
  return { SELLER: linkTo(tokens.SELLER), BUYER: linkTo(tokens.BUYER) }
}

/** Returns the package that a token opens; undefined for an unknown one. */
export async function findPackageByLink(db: Db, token: string): Promise<string | undefined> {
  const [link] = await findLink(db, { hash: hashToken(token) })
  return link?.packageId
}

const findLink = prepareQuery('find-agreement-link', (db, p: Placeholders<{ hash: Buffer }>) =>
  db
    .select({ packageId: agreementLinks.packageId })
    .from(agreementLinks)
    .where(eq(agreementLinks.hash, sql`${p.hash}`)),
)
