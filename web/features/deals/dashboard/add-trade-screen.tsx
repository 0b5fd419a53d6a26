import { carName } from '@keyturn/contract/cars/rules.ts'
import { updateProgress } from '@keyturn/contract/deals/endpoints.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useCarLink } from '../../../api/search.ts'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { TextLink } from '../../../components/navigation/link.tsx'
import { TradeInputScreen } from '../../trades/owner/trade-input-screen.tsx'
import { progressQuery } from '../queries.ts'

const texts = wizardTexts.trade

/** /trade/input: leads a person from a purchase back to it. */
export function AddTradeScreen() {
  const { userId, vin } = useCarLink()
  return userId && vin ? <ForPurchase userId={userId} vin={vin} /> : <TradeInputScreen />
}

type Purchase = { userId: string; vin: string }

function ForPurchase(purchase: Purchase) {
  const progress = useQuery(progressQuery(purchase.userId, purchase.vin)).data
  if (!progress) return <TradeInputScreen />
  const { year, make, carModel } = progress.carDetails
  return (
    <TradeInputScreen
      lead={
        <>
          {texts.forPurchase(carName({ ...progress.carDetails, trim: '' }))}{' '}
          <TextLink to="/buyer" search={purchase}>
            {texts.backToPurchase}
          </TextLink>
        </>
      }
      next={
        <GoOn purchase={purchase} label={tradeTexts.dialog.continueWith(`${year} ${make} ${carModel}`)} />
      }
    />
  )
}

/** Leads to the stage that waits for the trade, or else to the purchase's current stage. */
function GoOn({ purchase, label }: { purchase: Purchase; label: string }) {
  const navigate = useNavigate()
  const going = useEndpointMutation(updateProgress, { refresh: [['deals']] })
  const goOn = async () => {
    await going.attempt({
      body: { ...purchase, data: { userType: 'BUYER', step: [0, 1, 2, 3], hasTrade: true } },
    })
    await navigate({ to: '/buyer', search: purchase })
  }
  return <WorkButton onClick={goOn}>{label}</WorkButton>
}
