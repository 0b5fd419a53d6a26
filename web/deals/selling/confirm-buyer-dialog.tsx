import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/calls.ts'
import { decideBuyer, type Request } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatDateTime } from '@keyturn/contract/kit/dates.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useAct } from '../../decide/act.ts'
import { Behind } from '../../decide/behind.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { WorkButton } from '../../ui/feedback/work-button.tsx'
import { FactTable } from '../../ui/lists/fact-table.tsx'
import { Loaded } from '../../ui/lists/loaded.tsx'
import { Choices } from '../choices.tsx'
import { requestsQuery } from '../queries.ts'
import { contactFacts } from './contact-facts.tsx'
import { besideAsking, signatureText, termsOfRequest, waitingIn } from './request-facts.ts'
import { useWaitingRequest } from './use-waiting-request.ts'

const texts = dealTexts.seller

type ConfirmBuyerProps = {
  car: Car
  /** The row it was opened from; without one and with several buyers, the first thing asked is which. */
  firstId?: string
  onDeny: (request: Request) => void
  onConfirmed: (request: Request) => void
  onClose: () => void
}

/** The seller's decision about a buyer and a price (R-deals-21). That nobody asks is said only once it is known. */
export function ConfirmBuyerDialog(props: ConfirmBuyerProps) {
  const requests = useQuery(requestsQuery(props.car._id))
  if (requests.data) return <Decision {...props} requests={requests.data} />
  return (
    <Dialog
      title={texts.confirmTitle}
      onClose={props.onClose}
      actions={<Button onClick={props.onClose}>{texts.close}</Button>}
    >
      <Loaded from={requests} failed={texts.failed} skeleton="lines">
        {() => null}
      </Loaded>
    </Dialog>
  )
}

type DecisionProps = ConfirmBuyerProps & { requests: readonly Request[] }

/** What is confirmed is what was read. */
function Decision({ car, requests, firstId, onDeny, onConfirmed, onClose }: DecisionProps) {
  const waiting = waitingIn(requests)
  const [chosen, setChosen] = useState(firstId)
  const [only, ...others] = waiting
  // Who is left alone, or comes alone, is whom it is about.
  if (only && others.length === 0 && chosen === undefined) setChosen(only._id)
  const confirming = useAct(decideBuyer, { refresh: [['deals'], ['cars']] })
  const { shown, changes, gone, isStale, catchUp, show } = useWaitingRequest(
    requests,
    chosen,
    confirming.mayBeDone,
  )

  const choose = (id: string) => {
    const request = waiting.find(({ _id }) => _id === id)
    if (!request) return
    setChosen(id)
    show(request)
    confirming.reset()
  }
  const goOn = () => {
    catchUp()
    confirming.reset()
  }
  const confirm = async () => {
    if (!shown) return
    const { price, version, buyer } = shown
    const asked = {
      userId: car.sellerId,
      vin: car.vin,
      status: 'ACCEPTED',
      buyerId: buyer._id,
      price,
      version,
    } as const
    if (await confirming.attempt({ body: asked })) onConfirmed(shown)
  }

  if (waiting.length === 0 && !shown) {
    return (
      <Dialog
        title={texts.confirmTitle}
        size="sm"
        onClose={onClose}
        actions={<Button onClick={onClose}>{texts.close}</Button>}
      >
        <Text>{texts.noBuyer}</Text>
      </Dialog>
    )
  }
  const mayDecide = shown !== undefined && !isStale && gone === null
  return (
    <Dialog
      title={texts.confirmTitle}
      onClose={onClose}
      busy={confirming.isWorking}
      trouble={trouble()}
      actions={
        gone ? (
          <Button onClick={onClose}>{texts.close}</Button>
        ) : (
          <>
            <Button
              variant="default"
              disabled={!mayDecide || confirming.isWorking}
              onClick={() => shown && onDeny(shown)}
            >
              {texts.deny}
            </Button>
            <WorkButton disabled={!mayDecide} onClick={confirm}>
              {texts.confirm}
            </WorkButton>
          </>
        )
      }
    >
      {waiting.length > 1 && !firstId && (
        <Choices
          legend={texts.who}
          value={chosen ?? null}
          onChange={choose}
          options={waiting.map((request) => ({
            value: request._id,
            title: fullName(request.buyer),
            consequence: [formatUsd(request.price), besideAsking(request.price, car.price)]
              .filter(Boolean)
              .join(', '),
          }))}
        />
      )}
      {shown && <RequestFacts request={shown} car={car} />}
      {mayDecide && <Text>{texts.confirmQuestion(fullName(shown.buyer), formatUsd(shown.price))}</Text>}
    </Dialog>
  )

  function trouble(): ReactNode {
    if (gone) return <Trouble>{gone}</Trouble>
    if (isStale)
      return <Behind title={texts.requestChanged} changes={changes} goOn={texts.lookAgain} onGoOn={goOn} />
    return confirming.refusal && <Trouble>{confirming.refusal.message}</Trouble>
  }
}

function RequestFacts({ request, car }: { request: Request; car: Car }) {
  const { buyer, createdAt } = request
  return (
    <FactTable
      facts={[
        { term: texts.buyer, value: fullName(buyer) },
        ...contactFacts(buyer),
        ...termsOfRequest(request).map(({ label, value }) => ({ term: label, value })),
        { term: texts.askingPrice, value: car.price === null ? null : formatUsd(car.price) },
        { term: texts.requestedAt, value: formatDateTime(createdAt) },
        { term: texts.signature, value: signatureText(request) },
      ]}
    />
  )
}
