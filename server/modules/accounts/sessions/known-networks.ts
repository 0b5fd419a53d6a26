import { createHmac } from 'node:crypto'
import { retainedKinds } from '@keyturn/contract/shared/retention/retained-kinds.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { networkOf } from '../../../platform/rate-limits/throttles.ts'
import { knownNetworks } from '../tables.ts'
import type { Visitor } from './cookies.ts'

/** Enough for people who travel. */
const maxNetworks = 20
/** After 90 days an address may belong to a stranger. */
const networkTtlDays = retainedKinds.knownNetworks.max

type Owned = Pick<Deps, 'config'>

/**
 * Returns whether somebody has signed in to this account from the visitor's network. Unknown
 * accounts are looked up too, so that the time is the same.
 */
export async function isKnownNetwork(deps: Deps, visitor: Visitor, owner: string | null): Promise<boolean> {
  const rows = await findNetwork(deps.db, {
    owner: owner ?? '',
    network: networkHash(deps, visitor, owner ?? ''),
  })
  return rows.length > 0
}

export async function storeKnownNetwork(deps: Owned, tx: Db, visitor: Visitor, owner: string): Promise<void> {
  const used = { owner, network: networkHash(deps, visitor, owner) }
  await upsertNetwork(tx, used)
  await tx.execute(sql`delete from known_networks where (owner, network) in (
    select owner, network from known_networks where owner = ${owner} order by last_used_at desc offset ${maxNetworks})`)
}

export async function deleteKnownNetworks(tx: Db, owner: string): Promise<void> {
  await tx.execute(sql`delete from known_networks where owner = ${owner}`)
}

/** Keyed with the secret: there are so few addresses that a plain hash could be reversed. */
const networkHash = ({ config }: Owned, { ip }: Visitor, owner: string): Buffer =>
  createHmac('sha256', config.sessionSecret)
    .update(`network ${networkOf(ip)} ${owner}`)
    .digest()

const findNetwork = prepareQuery(
  'find-known-network',
  (db, p: Placeholders<{ owner: string; network: Buffer }>) =>
    db
      .select({ owner: knownNetworks.owner })
      .from(knownNetworks)
      .where(
        and(
          eq(knownNetworks.owner, p.owner),
          eq(knownNetworks.network, p.network),
          sql`${knownNetworks.lastUsedAt} > keyturn_now() - ${sql.raw(String(networkTtlDays))} * interval '1 day'`,
        ),
      ),
)

const upsertNetwork = prepareQuery(
  'upsert-known-network',
  (db, p: Placeholders<{ owner: string; network: Buffer }>) =>
    db
      .insert(knownNetworks)
      .values({ owner: p.owner, network: sql`${p.network}` })
      .onConflictDoUpdate({
        target: [knownNetworks.owner, knownNetworks.network],
        set: { lastUsedAt: sql`keyturn_now()` },
      }),
)
