import { fullName, type Party } from '@keyturn/contract/accounts/rules.ts'
import { buildAgreement } from '@keyturn/contract/agreements/agreement.ts'
import { termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChangeList } from '../../api/mutations/change-list.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { FactTable } from '../../components/lists/fact-table.tsx'
import { timelineQuery } from '../deals/queries.ts'
import { SignedButton } from './agreement-dialog.tsx'
import { AmountDue } from './amount-due.tsx'
import { SaleStepsButton } from './signed/sale-steps.tsx'
import type { AgreementState } from './use-agreement-dialog.tsx'
import { findVoidingChanges, type VoidingChanges } from './voiding-changes.ts'

const { voided } = texts

type TermSheetProps = {
  progress: Progress
  /** The side that views the sheet. */
  side: Party
  agreement: AgreementState
}

/**
 * Summarizes what both sides sign (R-deals-38). Once this side has signed, it links to the
 * agreement; once both have, it folds, and the sealed agreement has that link.
 */
export function TermSheet({ progress, side, agreement: { isSigned, open } }: TermSheetProps) {
  const { terms } = progress
  const isDue = side === 'BUYER' && !progress.taken
  if (!terms) return <Notice kind="waiting">{texts.noTerms}</Notice>
  const facts = (
    <FactTable
      facts={[
        ...buildAgreement(terms).facts.map(({ label, value }) => ({ term: label, value })),
        { term: texts.sellerSignature, value: signatureState(progress.sellerSignedAt) },
        { term: texts.buyerSignature, value: signatureState(progress.buyerSignedAt) },
      ]}
    />
  )
  // Since text 2026-11-3, the sheet itself says how loans count.
  const isLoanOnSheet = terms.sellerLender !== undefined
  const tradeOwed = progress.owedTradeVins.length > 0 && !progress.completed && !isLoanOnSheet && (
    <Text c="dimmed" fz="sm">
      {texts.tradeOwed[side]}
    </Text>
  )
  if (progress.passedAt)
    return (
      <Card title={texts.title}>
        {facts}
        {tradeOwed}
      </Card>
    )
  return (
    <Card title={texts.title}>
      <Stack gap="lg">
        <VoidedNotices progress={progress} side={side} />
        {isDue && terms.leftToPay !== undefined && <AmountDue left={terms.leftToPay} trades={terms.trades} />}
        {!isSigned && <Text>{texts.read(progress.dealerName)}</Text>}
        {facts}
        {tradeOwed}
        <Group ml={-20}>
          <SaleStepsButton progress={progress} side={side} />
        </Group>
        {isSigned && (
          <Group gap="sm" justify="flex-end">
            <SignedButton />
            <Button variant="default" onClick={open}>
              {texts.view}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  )
}

const signatureState = (signedAt: string | null) =>
  signedAt ? texts.signedAt(formatDateTime(signedAt)) : texts.notSignedYet

type VoidedNoticesProps = { progress: Progress; side: Party }

/** Shows both sides what voided a signature. */
function VoidedNotices({ progress, side }: VoidedNoticesProps) {
  const { sellerId, vin, buyerId, seller, buyer, sellerSigned, buyerSigned } = progress
  // Shared with the deal's timeline, once that is opened.
  const timeline = useQuery(timelineQuery(sellerId, vin, side === 'SELLER' ? buyerId : undefined))
  const sides = [
    { of: 'SELLER', isSigned: sellerSigned, name: fullName(seller) },
    { of: 'BUYER', isSigned: buyerSigned, name: fullName(buyer) },
  ] as const
  return sides.map(({ of, isSigned, name }) => {
    const voiding = isSigned || !timeline.data ? null : findVoidingChanges(timeline.data, of)
    if (!voiding) return null
    return of === side ? (
      <OwnVoidedNotice key={of} since={voiding} buyer={fullName(buyer)} />
    ) : (
      <OtherVoidedNotice key={of} since={voiding} name={name} />
    )
  })
}

function OwnVoidedNotice({ since: { changes, hasLapsed }, buyer }: { since: VoidingChanges; buyer: string }) {
  if (changes.length === 0) {
    return (
      <Notice kind="waiting" title={hasLapsed ? voided.lapsed : voided.turnedDown}>
        {hasLapsed ? voided.lapsedHint(buyer) : voided.turnedDownHint}
      </Notice>
    )
  }
  return (
    <Notice kind="waiting" title={voided.yours}>
      <Stack gap="xs">
        <ChangeList changes={changes} />
        {voided.yoursHint}
      </Stack>
    </Notice>
  )
}

/** Does not mention the end of the 72 hours, which the buyer sees in the countdown. */
function OtherVoidedNotice({
  since: { changes, wasTurnedDown },
  name,
}: {
  since: VoidingChanges
  name: string
}) {
  if (changes.length === 0 && !wasTurnedDown) return null
  return (
    <Notice kind="waiting" title={changes.length > 0 ? voided.theirs(name) : voided.theirsTurnedDown(name)}>
      <Stack gap="xs">
        {changes.length > 0 && <ChangeList changes={changes} />}
        {voided.theirsHint(name)}
      </Stack>
    </Notice>
  )
}
