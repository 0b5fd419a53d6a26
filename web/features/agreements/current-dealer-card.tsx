import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { isTitleReceived } from '@keyturn/contract/deals/stages.ts'
import { DealerCard } from '../cars/dealer-card.tsx'

/** The deal's dealer, current or prospective (R-cars-39). */
export const CurrentDealerCard = ({ progress }: { progress: Progress }) => (
  <DealerCard
    dealer={{
      name: progress.dealerName,
      address: progress.dealerAddress,
      phone: progress.dealerPhone,
      hours: progress.dealerHours,
    }}
    isOwed={progress.terms?.sellerOwes ?? progress.carDetails.payoff}
    isTitleReceived={isTitleReceived(progress)}
    isCompleted={progress.completed}
  />
)
