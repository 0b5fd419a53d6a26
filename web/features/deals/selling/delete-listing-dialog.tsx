import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { deleteCar } from '@keyturn/contract/deals/endpoints.ts'
import { isReserved } from '@keyturn/contract/deals/rules.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { dealErrors, dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { Text } from '@mantine/core'
import { DecisionChanges } from '../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { findListingChanges } from './listing-changes.ts'
import { listNames, pendingRequests } from './request-facts.ts'
import { useListing } from './use-listing.ts'
import { VoidedSignaturesNotice } from './voided-signatures-notice.tsx'

const texts = dealTexts.home

type DeleteListingProps = {
  /** The listing as it is now; undefined once it is gone. */
  car: Car | undefined
  onClose: () => void
}

/** Deletes a listing and its requests, whose latest state the seller must have seen. */
export function DeleteListingDialog({ car, onClose }: DeleteListingProps) {
  const deleting = useEndpointMutation(deleteCar, {
    refresh: [['deals'], ['cars']],
    success: texts.listingDeleted,
    onDone: onClose,
  })
  const { listing, failed } = useListing(car)
  const decision = useDecision({ by: deleting, current: listing, newsOf: findListingChanges })
  const { read, mayDecide } = decision
  const isGone = !car && !deleting.mayBeDone
  const hasBuyer = car !== undefined && isReserved(car.status)
  const over = isGone ? texts.news.listingGone : hasBuyer && dealErrors.DealInProgress().message
  const remove = () =>
    decision.attempt(({ car: { sellerId: userId, vin, version } }) => ({
      params: { userType: 'SELLER', userId, vin },
      query: { version },
    }))
  const named = read?.car ?? car
  const waiting = pendingRequests(read?.requests ?? [])
  return (
    <ConfirmDialog
      title={texts.deleteListingTitle}
      confirm={texts.delete}
      cancel={texts.cancel}
      danger
      disabled={!mayDecide}
      isOver={over !== false}
      trouble={
        <DecisionChanges
          decision={decision}
          over={over}
          failed={failed}
          changed={texts.news.changed}
          goOn={texts.news.goOn}
        />
      }
      onConfirm={remove}
      onClose={onClose}
    >
      {named && <Text>{texts.deleteListingQuestion(carName(named))}</Text>}
      {waiting.length > 0 && (
        <Text>{texts.endsRequests(listNames(waiting, nameAndPrice), waiting.length)}</Text>
      )}
      <VoidedSignaturesNotice requests={waiting} sentence={termsTexts.falls.theirsEnd} />
    </ConfirmDialog>
  )
}

const nameAndPrice = ({ buyer, price }: Request) => `${fullName(buyer)} (${formatUsd(price)})`
