import { type Db, transaction } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { addJob, type Tasks } from '../jobs/jobs.ts'
import { expireDue, findDue } from './ledger.ts'
import type { TradeRow } from './tables.ts'
import { touchTrade } from './tell.ts'

/** Few enough for one statement's time limit. */
const mostAtATime = 500
/** Nobody's request works off more than this; the clock's own round does the rest. */
const mostRounds = 4

/**
 * Offers whose seven days are over are requests without a price again. Run before anything looks at trades or moves
 * them, and by the clock, so that it does not matter who looks first. Answers how many there were.
 */
export async function settleOffers(db: Db): Promise<number> {
  let settled = 0
  for (let round = 0; round < mostRounds; round++) {
    const [due] = await findDue(db, {})
    if (!due) break
    const count = await transaction(db, async (tx) => {
      const rows = await expireDue(tx, mostAtATime)
      if (rows.length > 0)
        await touchTrade(
          tx,
          rows.map((row) => row.ownerId),
        )
      return rows.length
    })
    // Rows are due but locked: another process is settling them.
    if (count === 0) break
    settled += count
  }
  return settled
}

const settleOffersJob = 'settle-offers'

/** Has the clock look when this offer is over, so that both sides see it without anyone asking. */
export async function watchOffer(tx: Db, row: TradeRow): Promise<void> {
  if (row.offerExpiresAt)
    await addJob(tx, settleOffersJob, {}, { key: `offer of ${row.id}`, at: row.offerExpiresAt })
}

/** What this room has done in the background. */
export const tradeJobs = (deps: Pick<Deps, 'db'>): Tasks => ({
  [settleOffersJob]: {
    places: 2,
    run: async () => {
      await settleOffers(deps.db)
      return undefined
    },
  },
})
