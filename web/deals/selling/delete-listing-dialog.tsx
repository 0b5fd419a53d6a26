import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { deleteCar, type Request } from '@keyturn/contract/deals/calls.ts'
import { isTaken } from '@keyturn/contract/deals/rules.ts'
import { dealRefusals, dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAct } from '../../decide/act.ts'
import { Behind } from '../../decide/behind.tsx'
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { namesOf, waitingIn } from './request-facts.ts'
import { useListingSeen } from './use-listing-seen.ts'

const texts = dealTexts.home

type DeleteListingProps = {
  /** The listing as it is now; undefined once it is gone. */
  car: Car | undefined
  onClose: () => void
}

/** Deletes a listing, and with it the requests that the seller has read of. */
export function DeleteListingDialog({ car, onClose }: DeleteListingProps) {
  const deleting = useAct(deleteCar, { refresh: [['deals'], ['cars']], onDone: onClose })
  const { shown, changes, isStale, failed, catchUp } = useListingSeen(car, deleting.mayBeDone)
  const isGone = !car && !deleting.mayBeDone
  const hasBuyer = car !== undefined && isTaken(car.status)
  const goOn = () => {
    catchUp()
    deleting.reset()
  }
  const remove = async () => {
    if (!shown) return
    const { sellerId: userId, vin, version } = shown.car
    await deleting.attempt({ params: { userType: 'SELLER', userId, vin }, query: { version } })
  }
  const named = shown?.car ?? car
  const waiting = waitingIn(shown?.requests ?? [])
  return (
    <ConfirmDialog
      title={texts.deleteListingTitle}
      confirm={texts.delete}
      cancel={texts.cancel}
      danger
      disabled={!shown || isStale}
      isOver={isGone || hasBuyer}
      trouble={news()}
      onConfirm={remove}
      onClose={onClose}
    >
      {named && <Text>{texts.deleteListingQuestion(carName(named))}</Text>}
      {waiting.length > 0 && (
        <Text>{texts.endsRequests(namesOf(waiting, nameAndPrice), waiting.length)}</Text>
      )}
    </ConfirmDialog>
  )

  function news(): ReactNode {
    if (isGone) return <Trouble>{texts.news.listingGone}</Trouble>
    if (hasBuyer) return <Trouble>{dealRefusals.DealInProgress().message}</Trouble>
    if (failed) return <Trouble onRetry={() => failed.refetch()}>{failed.error?.message}</Trouble>
    if (isStale)
      return <Behind title={texts.news.changed} changes={changes} goOn={texts.news.goOn} onGoOn={goOn} />
    return deleting.refusal && <Trouble>{deleting.refusal.message}</Trouble>
  }
}

const nameAndPrice = ({ buyer, price }: Request) => `${fullName(buyer)} (${formatUsd(price)})`
