import { dayGroups, type Insights } from '@keyturn/contract/deals/insights.ts'
import { promisedOfferTimeMs } from '@keyturn/contract/trades/rules.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { countDaysToSign, countDealsByWeek, countFunnel, countTradesByWeek } from './insights-repository.ts'

/** Reads the administrator's figures (R-deals-97). */
export async function readInsights(db: Db): Promise<Insights> {
  const [[funnel], days, trades, deals] = await Promise.all([
    countFunnel(db, {}),
    countDaysToSign(db, { bounds: [...dayGroups] }),
    countTradesByWeek(db, { promiseMs: promisedOfferTimeMs }),
    countDealsByWeek(db, {}),
  ])
  if (!funnel) throw new Error('A query without groups returned no row')
  return {
    funnel,
    daysToSign: {
      median: days[0]?.median ?? null,
      groups: dayGroups.map((_, i) => days.find(({ place }) => place === i + 1)?.deals ?? 0),
    },
    trades: trades.map(({ week, ...counts }) => ({ week, counts })),
    deals: deals.map(({ week, ...counts }) => ({ week, counts })),
  }
}
