import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { decideBuyer, type Progress } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import { Button, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useAct } from '../act.ts'
import { Behind } from '../behind.tsx'
import { type Change, changesOf } from '../changes.ts'
import { useSeen } from '../seen.ts'
import { Dialog } from '../ui/dialog.tsx'
import { announce } from '../ui/notice.tsx'
import { TextAreaField } from '../ui/text-field.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { WorkButton } from '../ui/work-button.tsx'

const texts = dealTexts.seller
const { news } = dealTexts.home

/** Lets go of a confirmed buyer, as the seller read the deal: whether they have signed weighs most. */
export function ReleaseDialog({ deal, onClose }: { deal: Progress; onClose: () => void }) {
  const [message, setMessage] = useState('')
  const [buyerId] = useState(deal.buyerId)
  const releasing = useAct(decideBuyer, {
    refresh: [['deals'], ['cars']],
    onDone: () => {
      announce(texts.released)
      onClose()
    },
  })
  // Of another buyer, whose request has come into the place of one who left, nothing was asked.
  const present = deal.buyerId === buyerId ? deal : undefined
  const { shown, isStale, isGone, catchUp } = useSeen(
    present,
    (one, other) => newsOfDeal(one, other).length === 0,
    releasing.mayBeDone,
  )
  if (!shown) return null
  const buyer = fullName(shown.buyer)
  const goOn = () => {
    catchUp()
    releasing.reset()
  }
  const release = () => {
    if (isStale || isGone) return
    const { sellerId: userId, vin, version } = shown
    const said = message.trim() || undefined
    return releasing.attempt({ body: { userId, vin, status: 'REJECTED', buyerId, message: said, version } })
  }
  return (
    <Dialog
      title={texts.release}
      size="sm"
      onClose={onClose}
      onSubmit={release}
      busy={releasing.isWorking}
      trouble={trouble()}
      actions={
        isGone ? (
          <Button onClick={onClose}>{texts.close}</Button>
        ) : (
          <>
            <Button variant="default" onClick={onClose} disabled={releasing.isWorking}>
              {texts.cancel}
            </Button>
            <WorkButton type="submit" color="brick" busy={releasing.isWorking} disabled={isStale}>
              {texts.release}
            </WorkButton>
          </>
        )
      }
    >
      <Text>{texts.releaseQuestion(buyer)}</Text>
      {shown.buyerSigned && <Text fw={700}>{texts.releaseSigned(buyer)}</Text>}
      <TextAreaField
        label={texts.denyMessage}
        maxLength={1000}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
    </Dialog>
  )

  function trouble(): ReactNode {
    if (isGone) return <Trouble>{texts.requestGone}</Trouble>
    if (isStale && shown && present) {
      const changes = newsOfDeal(shown, present)
      return <Behind title={news.changed} changes={changes} goOn={news.goOn} onGoOn={goOn} />
    }
    return releasing.refusal && <Trouble>{releasing.refusal.message}</Trouble>
  }
}

/** What the buyer has done meanwhile that a seller would want to know who lets go of them. */
function newsOfDeal(before: Progress, after: Progress): Change[] {
  const said = after.buyerSigned ? texts.hasSigned : texts.hasSignedNoMore
  return [
    ...changesOf(pricesOf(before), pricesOf(after)),
    ...(before.buyerSigned === after.buyerSigned
      ? []
      : [{ label: fullName(after.buyer), before: '', after: '', said }]),
  ]
}

const pricesOf = ({ price }: Progress) =>
  price === null ? [] : [{ label: texts.offeredPrice, value: formatUsd(price) }]
