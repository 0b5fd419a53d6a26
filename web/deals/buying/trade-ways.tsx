import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { updateProgress } from '@keyturn/contract/deals/calls.ts'
import { type BuyerStage, stepToward, upTo } from '@keyturn/contract/deals/stages.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useAct } from '../../decide/act.ts'
import { WorkButton } from '../../ui/feedback/work-button.tsx'
import { progressQuery } from '../queries.ts'
import { factsOf } from './stages/facts.ts'

type TradeWaysProps = { car: { sellerId: string; vin: string }; onClose: () => void }

/** For a request whose trade another one holds by now: the stages of its purchase where that can be changed (R-trades-13). */
export function TradeWays({ car: { sellerId: userId, vin }, onClose }: TradeWaysProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useAct(updateProgress, { refresh: [['deals'], ['trades']] })
  const walkTo = async (target: BuyerStage, answers: object) => {
    let seen = await client.fetchQuery(progressQuery(userId, vin))
    for (let next = stepToward(factsOf(seen), target); next; next = stepToward(factsOf(seen), target)) {
      const data = { userType: 'BUYER' as const, step: upTo(next.to), goBack: next.isBack, ...answers }
      seen = await save.act({ body: { userId, vin, version: seen.version, data } })
    }
  }
  // What cannot be walked is said by the purchase itself.
  const goTo = (target: BuyerStage, answers = {}) =>
    walkTo(target, answers)
      .catch(() => {})
      .then(() => navigate({ to: '/buyer', search: { userId, vin } }))
      .then(onClose)
  return (
    <>
      <WorkButton variant="default" onClick={() => goTo(5, { hasTrade: false, tradeVins: [] })}>
        {buyingTexts.withoutTrade}
      </WorkButton>
      <WorkButton onClick={() => goTo(1)}>{wizardTexts.trade.choose}</WorkButton>
    </>
  )
}
