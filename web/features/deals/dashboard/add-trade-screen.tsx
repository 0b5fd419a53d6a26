import { carName } from '@keyturn/contract/cars/rules.ts'
import { updateProgress } from '@keyturn/contract/deals/endpoints.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useCarSearch } from '../../../api/search-params.ts'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { TextLink } from '../../../components/navigation/link.tsx'
import { TradeInputScreen } from '../../trades/owner/trade-input-screen.tsx'
import { progressQuery } from '../queries.ts'

const texts = wizardTexts.trade

/** /trade/input: adds a trade. A person who came from a purchase gets links back to it. */
export function AddTradeScreen() {
  const { userId, vin } = useCarSearch()
  return userId && vin ? <AddTradeToPurchase userId={userId} vin={vin} /> : <TradeInputScreen />
}

type Purchase = { userId: string; vin: string }

function AddTradeToPurchase(purchase: Purchase) {
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
        <ContinueButton
          purchase={purchase}
          label={tradeTexts.dialog.continueWith(`${year} ${make} ${carModel}`)}
        />
      }
    />
  )
}

/** Opens the purchase, at the stage that waits for the trade if the server allows it. */
function ContinueButton({ purchase, label }: { purchase: Purchase; label: string }) {
  const navigate = useNavigate()
  const saving = useEndpointMutation(updateProgress, { refresh: [['deals']] })
  const continuePurchase = async () => {
    await saving.attempt({
      body: { ...purchase, data: { userType: 'BUYER', step: [0, 1, 2, 3], hasTrade: true } },
    })
    await navigate({ to: '/buyer', search: purchase })
  }
  return <WorkButton onClick={continuePurchase}>{label}</WorkButton>
}
