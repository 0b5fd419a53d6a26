import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { answerProposal } from '@keyturn/contract/deals/endpoints.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { Group, Stack } from '@mantine/core'
import { type Change, changesBetween } from '../../../api/mutations/changes.ts'
import { DecisionChanges } from '../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { announce, Notice } from '../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'

const texts = buyingTexts.proposal
const { news } = dealTexts.home

/** The price that the seller proposes, for the buyer to accept or decline (R-deals-94). */
export function ProposalNotice({ progress }: { progress: Progress }) {
  const answering = useEndpointMutation(answerProposal, { refresh: [['deals'], ['cars']] })
  const decision = useDecision({ by: answering, current: progress, newsOf: proposalNews })
  const { read, mayDecide } = decision
  if (!read || read.proposedPrice === null || read.price === null) return null
  const price = read.proposedPrice
  const [proposed, offer] = [formatUsd(price), formatUsd(read.price)]
  const answer = async (status: 'ACCEPTED' | 'REJECTED') => {
    const sent = await decision.attempt(({ sellerId: userId, vin, version }) => ({
      body: { userId, vin, status, price, version },
    }))
    if (sent) announce(status === 'ACCEPTED' ? texts.accepted : texts.declined)
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
          <DecisionChanges decision={decision} changed={news.changed} goOn={news.goOn} />
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
