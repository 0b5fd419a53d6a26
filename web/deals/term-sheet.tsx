import type { Side } from '@keyturn/contract/accounts/rules.ts'
import { agreementOf } from '@keyturn/contract/deals/agreement.ts'
import type { Progress } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatDateTime } from '@keyturn/contract/kit/dates.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Card } from '../ui/card.tsx'
import { FactTable } from '../ui/fact-table.tsx'
import { Notice } from '../ui/notice.tsx'
import { StatusBadge } from '../ui/status-badge.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { AgreementDialog } from './agreement-dialog.tsx'

const texts = dealTexts.termSheet

type TermSheetProps = {
  progress: Progress
  /** Whose eyes: the same sheet, another signature asked for. */
  side: Side
  /** Another way on, beside Sign Agreement. */
  secondary?: ReactNode
}

/** What both sides sign, at a glance, and the way to the agreement itself (1 s2, 2 s2). */
export function TermSheet({ progress, side, secondary }: TermSheetProps) {
  const [isOpen, setOpen] = useState(false)
  const { terms } = progress
  if (!terms) return <Notice kind="waiting">{texts.noTerms}</Notice>
  const isSigned = side === 'SELLER' ? progress.sellerSigned : progress.buyerSigned
  const mayNotSign = side === 'BUYER' && progress.exclusivityExpired && !isSigned
  return (
    <Card title={texts.title}>
      <Stack gap="lg">
        {!isSigned && <Text>{texts.read(progress.dealerName)}</Text>}
        <FactTable
          facts={[
            ...agreementOf(terms).facts.map(({ label, value }) => ({ term: label, value })),
            { term: texts.sellerSignature, value: stateOf(progress.sellerSignedAt) },
            { term: texts.buyerSignature, value: stateOf(progress.buyerSignedAt) },
          ]}
        />
        {mayNotSign && <Trouble>{texts.expired}</Trouble>}
        <Group gap="sm" justify="flex-end">
          {isSigned && <StatusBadge status="ACCEPTED" label={texts.youSigned} />}
          {secondary}
          <Button
            variant={isSigned ? 'default' : 'filled'}
            disabled={mayNotSign}
            onClick={() => setOpen(true)}
          >
            {isSigned ? texts.view : texts.signAgreement}
          </Button>
        </Group>
      </Stack>
      {isOpen && (
        <AgreementDialog progress={progress} terms={terms} side={side} onClose={() => setOpen(false)} />
      )}
    </Card>
  )
}

const stateOf = (signedAt: string | null) =>
  signedAt ? texts.signedAt(formatDateTime(signedAt)) : texts.notSignedYet
