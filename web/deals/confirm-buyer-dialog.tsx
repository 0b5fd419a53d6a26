import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/calls.ts'
import { decideBuyer, type Request } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatDateTime } from '@keyturn/contract/kit/dates.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import { Button, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useAct } from '../act.ts'
import { Choices } from '../ui/choices.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FactTable } from '../ui/fact-table.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { WorkButton } from '../ui/work-button.tsx'
import { ChangeList } from './change-list.tsx'
import { changesOf } from './changes.ts'
import { contactFacts } from './contact-facts.tsx'
import { besideAsking, signatureText, termsOfRequest } from './request-facts.ts'

const texts = dealTexts.seller

type ConfirmBuyerProps = {
  car: Car
  requests: readonly Request[]
  /** The row it was opened from; without one and with several buyers, the first thing asked is which. */
  first?: Request
  onDeny: (request: Request) => void
  onConfirmed: (request: Request) => void
  onClose: () => void
}

/** The seller's decision about a buyer and a price (1 s4). What is confirmed is what was read. */
export function ConfirmBuyerDialog({
  car,
  requests,
  first,
  onDeny,
  onConfirmed,
  onClose,
}: ConfirmBuyerProps) {
  const waiting = requests.filter(({ status }) => status === 'PENDING')
  const [seen, setSeen] = useState(first ?? (waiting.length === 1 ? waiting[0] : undefined))
  const confirming = useAct(decideBuyer, { refresh: [['deals'], ['cars']] })
  const present = waiting.find(({ _id }) => _id === seen?._id)
  const isSettled = confirming.isWorking || confirming.done !== undefined
  const changes =
    seen && present && !isSettled ? changesOf(termsOfRequest(seen), termsOfRequest(present)) : []
  const isGone = seen !== undefined && !present && !isSettled

  const confirm = async () => {
    if (!seen || !present) return
    const { price, version, buyer } = present
    const asked = {
      userId: car.sellerId,
      vin: car.vin,
      status: 'ACCEPTED',
      buyerId: buyer._id,
      price,
      version,
    } as const
    if (await confirming.attempt({ body: asked })) onConfirmed(present)
  }

  if (waiting.length === 0 && !seen) {
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
  const mayDecide = present !== undefined && changes.length === 0
  return (
    <Dialog
      title={texts.confirmTitle}
      onClose={onClose}
      busy={confirming.isWorking}
      trouble={trouble()}
      actions={
        <>
          <Button
            variant="default"
            disabled={!mayDecide || confirming.isWorking}
            onClick={() => present && onDeny(present)}
          >
            {texts.deny}
          </Button>
          <WorkButton disabled={!mayDecide && !isSettled} onClick={confirm}>
            {texts.confirm}
          </WorkButton>
        </>
      }
    >
      {waiting.length > 1 && !first && (
        <Choices
          legend={texts.who}
          value={seen?._id ?? null}
          onChange={(id) => setSeen(waiting.find(({ _id }) => _id === id))}
          options={waiting.map((request) => ({
            value: request._id,
            title: fullName(request.buyer),
            consequence: [formatUsd(request.price), besideAsking(request.price, car.price)]
              .filter(Boolean)
              .join(', '),
          }))}
        />
      )}
      {seen && <RequestFacts request={seen} car={car} />}
      {mayDecide && <Text>{texts.confirmQuestion(fullName(present.buyer), formatUsd(present.price))}</Text>}
    </Dialog>
  )

  function trouble(): ReactNode {
    if (isGone) return <Trouble>{texts.requestGone}</Trouble>
    if (changes.length > 0) {
      return (
        <Trouble
          title={texts.requestChanged}
          action={
            <Button variant="default" onClick={() => setSeen(present)}>
              {texts.lookAgain}
            </Button>
          }
        >
          <ChangeList changes={changes} />
        </Trouble>
      )
    }
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
