import { hourMs } from '@keyturn/contract/shared/dates.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { addTrade as addTradeCall, Trade } from '@keyturn/contract/trades/endpoints.ts'
import { tradeErrors } from '@keyturn/contract/trades/texts.ts'
import type { Deps } from '../../deps.ts'
import { newOwnedId } from '../../platform/database/new-id.ts'
import { transaction, violatedConstraint } from '../../platform/database/open-database.ts'
import type { UserActor } from '../../platform/http/authorization.ts'
import { consumeLimit } from '../../platform/rate-limits/throttles.ts'
import { lockExistingPerson } from '../accounts/people/lock-person.ts'
import { noLoan } from '../cars/repository.ts'
import { requireFittingYear } from '../cars/require-fitting-year.ts'
import { toTrade } from './mappers.ts'
import { toTradeActor } from './move-rules.ts'
import { notifySubmitted } from './notify.ts'
import * as store from './repository.ts'
import { recordTradeEvent } from './trade-events.ts'

/** Every added trade notifies all wholesalers. */
const addLimit = { name: 'add-trade', max: 20, withinMs: hourMs }

/** Adds a trade. Throws `TradeAlreadyAdded`: a person can trade in a VIN only once. */
export async function addTrade(
  deps: Deps,
  actor: UserActor,
  form: EndpointInput<typeof addTradeCall>['body'],
  requestId: string | null = null,
): Promise<Trade> {
  const { buyerId, carModel, ...facts } = form
  if (buyerId && buyerId !== actor.id) throw apiErrors.NotFound()
  requireFittingYear(form.year)
  await consumeLimit(deps, addLimit, actor.id)
  try {
    return await transaction(deps, async (tx) => {
      await lockExistingPerson(tx, actor.id)
      const row = await store.insertTrade(tx, {
        ...facts,
        ...(facts.payoff ? {} : noLoan),
        id: newOwnedId(actor.id),
        ownerId: actor.id,
        model: carModel,
      })
      await recordTradeEvent(
        tx,
        row,
        'submit',
        toTradeActor('OWNER', { user: actor, administrator: null }, requestId),
      )
      await notifySubmitted(deps, tx, row)
      return toTrade({ trade: row, counteredCents: null })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'one_trade_per_owner_and_vin') throw tradeErrors.TradeAlreadyAdded()
    throw error
  }
}
