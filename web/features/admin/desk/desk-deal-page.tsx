import { administratorTexts } from '@keyturn/contract/accounts/administrator-texts.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { DealPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { readPaperwork } from '@keyturn/contract/agreements/paperwork/endpoints.ts'
import { paperworkTexts } from '@keyturn/contract/agreements/paperwork/paperwork-texts.ts'
import { paperKindsOf } from '@keyturn/contract/agreements/paperwork/rules.ts'
import { packageTexts, termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import type { DeliveredPackage, PartnerDeal } from '@keyturn/contract/dealers/dealer-api.ts'
import { readDeskAgreement, readDeskDeal } from '@keyturn/contract/dealers/dealer-desk.ts'
import { deskTexts as texts } from '@keyturn/contract/dealers/dealer-desk-texts.ts'
import { type DealerStepName, possibleDealerSteps } from '@keyturn/contract/deals/rules.ts'
import type { DealerStep } from '@keyturn/contract/deals/shapes.ts'
import { formatDateTime, formatWallTime } from '@keyturn/contract/shared/dates.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasErrorCode } from '../../../api/errors.ts'
import { fetchDocument } from '../../../api/send.ts'
import { PhotoStrip } from '../../../components/display/photo-strip.tsx'
import { Timeline } from '../../../components/display/timeline.tsx'
import { DownloadButton } from '../../../components/feedback/download-button.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { FactTable } from '../../../components/lists/fact-table.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { BackLink } from '../../../components/navigation/link.tsx'
import { AdminPasswordDialog } from '../../accounts/admin-password-dialog.tsx'
import { CarFacts } from '../../cars/car-card.tsx'
import { Financing, Parties, Trades } from '../../deals/package/package-document.tsx'
import { PublicPage } from '../../public-pages/public-page.tsx'
import { useIsOperator } from '../administrators/operator-only.tsx'
import { deskDealQuery } from './queries.ts'
import { StepDialog } from './step-dialog.tsx'

export function DeskDealPage({ pkgId }: { pkgId: string }) {
  const found = useQuery(deskDealQuery(pkgId))
  const name = found.data && carName(found.data.package.deal.car)
  return (
    <PublicPage
      title={name ?? texts.title}
      width="paper"
      lead={name && texts.title}
      back={<BackLink to="/dealer">{texts.toDesk}</BackLink>}
    >
      <QueryContent from={found} failed={reasonOf} skeleton="cards" skeletonRows={4}>
        {({ deal, receivedAt, package: papers }) => {
          const shown = packageOf(papers, deal)
          return (
            <>
              <AdminPasswordDialog />
              <NextCard deal={deal} />
              <ReportedStepsCard deal={deal} />
              <Card title={texts.deal}>
                <FactTable
                  facts={[
                    { term: packageTexts.price, value: formatUsd(shown.price), strong: true },
                    { term: packageTexts.seller, value: fullName(shown.seller) },
                    { term: packageTexts.buyer, value: fullName(shown.buyer) },
                    { term: texts.arrived, value: formatDateTime(receivedAt) },
                  ]}
                />
              </Card>
              <Card title={packageTexts.parties}>
                <Parties deal={shown} />
              </Card>
              <DeskPapers pkgId={pkgId} vin={shown.car.vin} />
              <Card title={packageTexts.car}>
                <PhotoStrip photos={shown.car.photos} name={carName(shown.car)} />
                <CarFacts car={shown.car} />
              </Card>
              <Card title={packageTexts.financing}>
                <Financing deal={shown} />
              </Card>
              <Card title={packageTexts.trades}>
                <Trades deal={shown} />
              </Card>
            </>
          )
        }}
      </QueryContent>
    </PublicPage>
  )
}

const usualSteps: DealerStepName[] = ['accepted', 'appointment', 'paidSeller', 'titleReceived', 'complete']

function NextCard({ deal }: { deal: PartnerDeal }) {
  const [open, setOpen] = useState<DealerStepName | null>(null)
  const said = deal.steps.map(({ step }) => step)
  const possible = possibleDealerSteps(said)
  // While the deal is paused, nothing but calling it off can be reported, and that not to the end.
  const steps = deal.isPaused ? possible.filter((step) => step === 'cancelled') : possible
  const isOperator = useIsOperator()
  const usual = usualSteps.find((step) => steps.includes(step) && !said.includes(step))
  return (
    <Card title={texts.next}>
      {possible.length === 0 ? (
        <Text>{texts.over}</Text>
      ) : (
        <Stack gap="md">
          {deal.isPaused && <Notice kind="waiting">{texts.paused}</Notice>}
          {!isOperator && <Notice kind="info">{administratorTexts.onlyOperators}</Notice>}
          <Group gap="sm">
            {steps.map((step) => (
              <Button
                key={step}
                variant={step === usual ? 'filled' : 'default'}
                disabled={!isOperator}
                onClick={() => setOpen(step)}
              >
                {texts.steps[step].name}
              </Button>
            ))}
          </Group>
          <Text c="dimmed">{texts.told}</Text>
        </Stack>
      )}
      {open && <StepDialog step={open} pkgId={deal.pkgId} onClose={() => setOpen(null)} />}
    </Card>
  )
}

const ReportedStepsCard = ({ deal }: { deal: PartnerDeal }) => (
  <Card title={texts.answers}>
    {deal.steps.length === 0 ? (
      <Text>{texts.noAnswers}</Text>
    ) : (
      <Timeline
        label={texts.answers}
        entries={deal.steps.toReversed().map((one) => ({
          id: `${one.step} ${one.at}`,
          at: one.at,
          what: texts.said[one.step],
          after: wordsOf(one),
        }))}
      />
    )}
  </Card>
)

function wordsOf({ document, place, time, reason }: DealerStep): string | undefined {
  if (place && time) return `${formatWallTime(time)}, ${place}`
  return document ?? reason
}

function packageOf({ deal }: DeliveredPackage, { completed, cancelled, steps }: PartnerDeal): DealPackage {
  const completedAt = steps.find(({ step }) => step === 'complete')?.at ?? null
  return { ...deal, completed, completedAt, calledOff: cancelled }
}

const reasonOf = (fault: Error) =>
  hasErrorCode(fault, readDeskDeal, 'NotFound') ? <ErrorNotice>{texts.notFound}</ErrorNotice> : texts.failed

type Deal = { pkgId: string; vin: string }

/** The signed agreement, and the draft forms that the seller can print. */
const DeskPapers = ({ pkgId, vin }: Deal) => (
  <Card title={texts.papers}>
    <Stack gap="md">
      <Paper
        name={texts.agreement}
        what={texts.agreementWhat}
        file={termSheetTexts.fileName(vin)}
        fetchFile={() => fetchDocument(readDeskAgreement, { params: { pkgId } })}
      />
      {paperKindsOf.SELLER.map((kind) => (
        <Paper
          key={kind}
          name={`${paperworkTexts.kinds[kind].name} (${paperworkTexts.draft.toLowerCase()})`}
          what={texts.paperWhat[kind] ?? paperworkTexts.kinds[kind].what}
          file={paperworkTexts.fileName(kind, vin)}
          fetchFile={() => fetchDocument(readPaperwork, { params: { pkgId, kind } })}
        />
      ))}
    </Stack>
  </Card>
)

type PaperProps = { name: string; what: string; file: string; fetchFile: () => Promise<Blob> }

const Paper = ({ name, what, file, fetchFile }: PaperProps) => (
  <Group justify="space-between" gap="sm">
    <div>
      <strong>{name}</strong>
      <Text c="dimmed">{what}</Text>
    </div>
    <DownloadButton
      fetchFile={fetchFile}
      name={file}
      label={paperworkTexts.downloadOf(name)}
      working={paperworkTexts.preparing}
      failed={paperworkTexts.failed}
    >
      {paperworkTexts.download}
    </DownloadButton>
  </Group>
)
