import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { answerProposal } from '@keyturn/contract/deals/endpoints.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { type Cents, formatUsd } from '@keyturn/contract/shared/money.ts'
import { Group, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { type Change, changesBetween } from '../../../api/mutations/changes.ts'
import { DecisionChanges } from '../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { restoreFocus } from '../../../components/feedback/focus.ts'
import { announce, Notice } from '../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'

const texts = buyingTexts.proposal
const { news } = dealTexts.home

/**
 * The price that the seller proposes, for the buyer to accept or decline (R-deals-94). A proposal
 * that the seller has taken back stays until the buyer has read that.
 */
export function ProposalNotice({ progress }: { progress: Progress }) {
  const { price, proposedPrice, status } = progress
  /** The buyer's offer that the proposal on the screen answers. */
  const [offer, setOffer] = useState<Cents | null>(null)
  const [isSettled, setSettled] = useState(false)
  const isOver = isSettled || status !== 'PENDING' || price !== offer
  const now = proposedPrice === null ? (isOver ? null : offer) : price
  if (now !== offer) setOffer(now)
  if (now === null && isSettled) setSettled(false)
  return now !== null && <OpenProposal progress={progress} onSettled={() => setSettled(true)} />
}

function OpenProposal({ progress, onSettled }: { progress: Progress; onSettled: () => void }) {
  const answering = useEndpointMutation(answerProposal, { refresh: [['deals'], ['cars']] })
  const decision = useDecision({ by: answering, current: progress, newsOf: proposalNews })
  const { read, mayDecide } = decision
  useEffect(() => () => restoreFocus(), [])
  if (!read || read.proposedPrice === null || read.price === null) return null
  const price = read.proposedPrice
  const [proposed, offer] = [formatUsd(price), formatUsd(read.price)]
  const answer = async (status: 'ACCEPTED' | 'REJECTED') => {
    const sent = await decision.attempt(({ sellerId: userId, vin, version }) => ({
      body: { userId, vin, status, price, version },
    }))
    if (!sent) return
    announce(status === 'ACCEPTED' ? texts.accepted : texts.declined)
    onSettled()
  }
  return (
    <Notice
      kind="waiting"
      title={texts.title(fullName(read.seller), proposed)}
      action={
        <Stack gap="md">
          <Group gap="sm">
            <WorkButton disabled={!mayDecide || decision.isWorking} onClick={() => answer('ACCEPTED')}>
              {texts.accept(proposed)}
            </WorkButton>
            <WorkButton
              variant="default"
              disabled={!mayDecide || decision.isWorking}
              onClick={() => answer('REJECTED')}
            >
              {texts.keep(offer)}
            </WorkButton>
          </Group>
          <DecisionChanges
            decision={decision}
            changed={news.changed}
            goOn={news.goOn}
            onGoOn={progress.proposedPrice === null ? onSettled : undefined}
          />
        </Stack>
      }
    >
      {texts.lead(offer)} {read.buyerSigned && texts.signed}
    </Notice>
  )
}

const proposalNews = (before: Progress, after: Progress): Change[] =>
  changesBetween(pricesOf(before), pricesOf(after))

const pricesOf = ({ price, proposedPrice }: Progress) => [
  { label: dealTexts.home.newPrice, value: price === null ? '' : formatUsd(price) },
  { label: texts.label, value: proposedPrice === null ? texts.none : formatUsd(proposedPrice) },
]
