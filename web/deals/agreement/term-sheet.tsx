import type { Side } from '@keyturn/contract/accounts/rules.ts'
import { agreementOf } from '@keyturn/contract/deals/agreement.ts'
import { termSheetTexts as texts } from '@keyturn/contract/deals/agreement-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { formatDateTime } from '@keyturn/contract/kit/dates.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { Card } from '../../ui/frame/card.tsx'
import { FactTable } from '../../ui/lists/fact-table.tsx'
import { DownloadAgreement } from './download-agreement.tsx'
import { NextStepsButton } from './next-steps.tsx'
import { SignedButton } from './signed-button.tsx'
import { useAgreement } from './use-agreement.tsx'
import { VoidedNotices } from './voided-notices.tsx'

type TermSheetProps = {
  progress: Progress
  /** Whose view it is; the sheet is the same, the signature differs. */
  side: Side
}

/** What both sides sign, at a glance (R-deals-38), with the agreement for whoever has signed it. */
export function TermSheet({ progress, side }: TermSheetProps) {
  const { isSigned, isExpired, open, dialog } = useAgreement(progress, side)
  const { terms } = progress
  if (!terms) return <Notice kind="waiting">{texts.noTerms}</Notice>
  return (
    <Card title={texts.title}>
      <Stack gap="lg">
        <VoidedNotices progress={progress} side={side} />
        {!isSigned && <Text>{texts.read(progress.dealerName)}</Text>}
        <FactTable
          facts={[
            ...agreementOf(terms).facts.map(({ label, value }) => ({ term: label, value })),
            { term: texts.sellerSignature, value: stateOf(progress.sellerSignedAt) },
            { term: texts.buyerSignature, value: stateOf(progress.buyerSignedAt) },
          ]}
        />
        {!progress.passedAt && (
          <Group>
            <NextStepsButton progress={progress} side={side} />
          </Group>
        )}
        {isExpired && <Trouble>{texts.expired}</Trouble>}
        {isSigned && (
          <Group gap="sm" justify="flex-end">
            <SignedButton />
            <Button variant="default" onClick={open}>
              {texts.view}
            </Button>
            {progress.pkgId && <DownloadAgreement pkgId={progress.pkgId} vin={progress.vin} />}
          </Group>
        )}
      </Stack>
      {dialog}
    </Card>
  )
}

const stateOf = (signedAt: string | null) =>
  signedAt ? texts.signedAt(formatDateTime(signedAt)) : texts.notSignedYet
