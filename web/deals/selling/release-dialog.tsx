import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { type Change, changesOf } from '../../decide/changes.ts'
import { useDecision } from '../../decide/use-decision.ts'
import { TurnDownDialog, useTurnDown } from './turn-down-dialog.tsx'

const { changed, goOn } = dealTexts.home.news

/** Releases a confirmed buyer, based on the deal as the seller read it, above all on whether the buyer has signed. */
export function ReleaseDialog({ deal, onClose }: { deal: Progress; onClose: () => void }) {
  const [buyerId] = useState(deal.buyerId)
  const { by, ...typed } = useTurnDown(texts.released, onClose)
  // If this buyer left, the deal may now be another buyer's, which this dialog is not about.
  const present = deal.buyerId === buyerId ? deal : undefined
  const decision = useDecision({ by, present, newsOf: newsOfDeal })
  const { read } = decision
  if (!read) return null
  const buyer = fullName(read.buyer)
  return (
    <TurnDownDialog
      title={texts.release}
      confirm={texts.release}
      decision={decision}
      typed={typed}
      whom={({ sellerId: userId, vin, version }) => ({ userId, vin, buyerId, version })}
      over={texts.requestGone}
      changed={changed}
      goOn={goOn}
      onClose={onClose}
    >
      <Text>{texts.releaseQuestion(buyer)}</Text>
      {read.buyerSigned && <Text fw={700}>{texts.releaseSigned(buyer)}</Text>}
    </TurnDownDialog>
  )
}

/** What the buyer has done in the meantime that matters for releasing them. */
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
