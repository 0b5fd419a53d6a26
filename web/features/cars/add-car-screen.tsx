import { addCar, type Car } from '@keyturn/contract/cars/endpoints.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { hasErrorCode } from '../../api/errors.ts'
import { useConfirmedForm } from '../../api/mutations/use-confirmed-form.ts'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { FailureDialog } from '../../components/feedback/failure-dialog.tsx'
import { Outcome } from '../../components/feedback/outcome.tsx'
import { PutBackNotice } from '../../components/feedback/put-back-notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Page } from '../../components/layout/page.tsx'
import { BackToHomeLink, HomeButton, LinkButton } from '../../components/navigation/link.tsx'
import { AddCarFields, type NewCar, parseNewCar, useCarForm } from './add-car-form.tsx'
import { CarFacts } from './car-card.tsx'
import { AlreadyListed, ClaimDialog } from './claim-dialog.tsx'
import { openShareSheet } from './invitation.ts'
import { useInvitation } from './use-invitation.ts'

const texts = carTexts.add

export function AddCarScreen() {
  const [claimed, setClaimed] = useState<NewCar | null>(null)
  const form = useCarForm()
  const adding = useEndpointMutation(addCar, { refresh: [['deals'], ['cars']] })
  const { step, round, submit, confirm, edit, startOver, tryAgain, putBack } = useConfirmedForm(form, {
    draft: 'add-car',
    givenOf: parseNewCar,
    add: (car: NewCar) => adding.act({ body: car }),
  })
  return (
    <Page
      title={texts.title}
      width="wizard"
      back={<BackToHomeLink side="selling">{texts.back}</BackToHomeLink>}
    >
      <Card>
        <form noValidate onSubmit={submit}>
          <Stack gap="lg">
            <PutBackNotice onPutBack={putBack} />
            <AddCarFields key={round} form={form} />
            <Group justify="flex-end">
              <Button type="submit">{texts.submit}</Button>
            </Group>
          </Stack>
        </form>
      </Card>
      {step.name === 'confirm' && (
        <ConfirmCarDialog car={step.given} onConfirm={() => confirm(step.given)} onClose={edit} />
      )}
      {step.name === 'added' && <CarAddedDialog car={step.added} onClose={startOver} />}
      {claimed && (
        <ClaimDialog
          car={claimed}
          onDone={() => {
            setClaimed(null)
            startOver()
          }}
          onClose={() => setClaimed(null)}
        />
      )}
      {step.name === 'failed' && !claimed && (
        <FailureDialog
          title={texts.failedTitle}
          sentence={texts.failed}
          fault={step.error}
          onTryAgain={tryAgain}
          onEdit={edit}
          action={
            hasErrorCode(step.error, addCar, 'VinAlreadyListed') ? (
              <AlreadyListed
                vin={parseNewCar(form.values).vin}
                onClaim={() => setClaimed(parseNewCar(form.values))}
              />
            ) : (
              <HomeButton side="selling">{texts.toDashboard}</HomeButton>
            )
          }
        />
      )}
    </Page>
  )
}

type ConfirmCarProps = { car: NewCar; onConfirm: () => Promise<unknown>; onClose: () => void }

function ConfirmCarDialog({ car, onConfirm, onClose }: ConfirmCarProps) {
  return (
    <ConfirmDialog
      title={texts.confirmTitle}
      confirm={texts.confirm}
      cancel={texts.edit}
      working={texts.confirming}
      size="md"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Text>{texts.confirmLead}</Text>
      <CarFacts
        car={car}
        more={[
          {
            term: carTexts.facts.price,
            value: car.price === null ? carTexts.toBeAgreed : formatUsd(car.price),
          },
          { term: carTexts.facts.zipCode, value: car.zipCode || null },
          { term: carTexts.facts.message, value: car.message },
        ]}
      />
    </ConfirmDialog>
  )
}

/** Leads to the share screen and, where the device has a share sheet, opens that immediately. */
function CarAddedDialog({ car, onClose }: { car: Car; onClose: () => void }) {
  const { sellerId: userId, vin } = car
  const invitation = useInvitation(car)
  return (
    <Dialog
      title={carName(car)}
      onClose={onClose}
      actions={
        <>
          <HomeButton side="selling" variant="default">
            {texts.toDashboard}
          </HomeButton>
          <LinkButton
            to="/car/seller"
            search={{ userId, vin }}
            onClick={() => void openShareSheet(navigator, invitation)}
          >
            {texts.toShare}
          </LinkButton>
        </>
      }
    >
      <Outcome kind="good" title={texts.done}>
        {texts.doneHint}
      </Outcome>
    </Dialog>
  )
}
