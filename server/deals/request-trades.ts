import { carName } from '@keyturn/contract/cars/rules.ts'
import { dealRefusals } from '@keyturn/contract/deals/texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import type { Refusal } from '@keyturn/contract/kit/refusal.ts'
import type { Db } from '../db/open.ts'
import * as tradeStore from './trade-store.ts'
import type { DealView } from './views.ts'

/** Why trades cannot serve this deal: one that another deal of the buyer holds is named, with that deal's car (R-trades-13). */
export async function tradeUnavailable(
  tx: Db,
  { deal }: DealView,
  vins: readonly string[],
): Promise<Refusal> {
  const [promised] = await tradeStore.findPromisedTrade(tx, {
    buyerId: deal.buyerId,
    vins: [...vins],
    dealId: deal.id,
  })
  if (!promised) return dealRefusals.TradeUnavailable()
  const message = wizardTexts.trade.promised(nameOf(promised.trade), nameOf(promised.car))
  return dealRefusals.TradeUnavailable({ message })
}

const nameOf = ({ model, ...car }: { year: number; make: string; model: string; trim: string }) =>
  carName({ ...car, carModel: model })
