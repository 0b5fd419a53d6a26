import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { getProgress, startProgress } from '@keyturn/contract/deals/endpoints.ts'
import { wizardTexts as own } from '@keyturn/contract/deals/wizard-texts.ts'
import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { fieldTexts } from '@keyturn/contract/shared/fields.ts'
import { isVinShape } from '@keyturn/contract/shared/vin.ts'
import { Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { hasErrorCode } from '../../../api/errors.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useCarSearch, useIsBrokenCarLink } from '../../../api/search-params.ts'
import { useMyId } from '../../../auth/session.tsx'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Outcome } from '../../../components/feedback/outcome.tsx'
import { Spinner } from '../../../components/feedback/spinner.tsx'
import { VinField } from '../../../components/fields/vin-field.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { HomeButton, LinkButton } from '../../../components/navigation/link.tsx'
import { warmUpVinLookUp } from '../../cars/queries.ts'
import { progressQuery } from '../queries.ts'
import { CalledOffPurchase, LostPurchase } from './ended-purchase.tsx'
import { PurchasePage } from './purchase-page.tsx'
import { Wizard } from './stages/wizard.tsx'

const { public: links } = carTexts

/** /buyer: the guided purchase (R-deals-6). The URL names the seller and the car, not the stage. */
export function BuyerScreen() {
  const { userId, vin } = useCarSearch()
  const isBroken = useIsBrokenCarLink()
  if (isBroken) return <BrokenLink />
  if (!vin) {
    return (
      <PurchasePage>
        <EnterVinDialog />
      </PurchasePage>
    )
  }
  if (!userId) return <StartPurchase key={vin} vin={vin} />
  return <Purchase key={`${userId} ${vin}`} userId={userId} vin={vin} />
}

/** Shown without a request to the server (R-cars-15). */
const BrokenLink = () => (
  <Page title={links.invalid} width="wizard">
    <p>{links.invalidHint}</p>
    <Group gap="sm">
      <HomeButton side="buying">{own.dashboard}</HomeButton>
      <LinkButton to="/login" variant="default">
        {links.logIn}
      </LinkButton>
      <LinkButton to="/register" variant="default">
        {links.getStarted}
      </LinkButton>
    </Group>
  </Page>
)

type CarOfSeller = { userId: string; vin: string }

function Purchase({ userId, vin }: CarOfSeller) {
  const client = useQueryClient()
  // For the seller, the server would return the intended buyer's progress.
  const isMine = useMyId() === userId
  const query = progressQuery(userId, vin)
  const progress = useQuery({ ...query, enabled: !isMine })
  const hasNoProgress = hasErrorCode(progress.error, getProgress, 'NotFound')
  if (isMine) return <StartPurchase userId={userId} vin={vin} />
  if (progress.data && hasNoProgress) {
    return <PurchaseGone onStartAgain={() => void client.resetQueries({ queryKey: query.queryKey })} />
  }
  if (progress.data?.soldElsewhere) return <LostPurchase progress={progress.data} />
  if (progress.data?.calledOff) return <CalledOffPurchase progress={progress.data} />
  if (progress.data) return <Wizard progress={progress.data} readAt={progress.dataUpdatedAt} />
  if (hasNoProgress) return <StartPurchase userId={userId} vin={vin} />
  return <LoadingPurchase error={progress.error} onRetry={() => void progress.refetch()} />
}

/**
 * Starts the purchase of a listed car (R-deals-3). Without `userId`, the VIN determines the seller
 * (R-deals-4). Repeated mounts are harmless, because the endpoint is idempotent.
 */
function StartPurchase({ userId, vin }: { userId?: string; vin: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const myId = useMyId()
  const [refusal, setRefusal] = useState<ApiError | null>(null)
  const start = useEndpointMutation(startProgress, {
    onDone: (progress) => {
      const { sellerId } = progress
      client.setQueryData(progressQuery(sellerId, vin).queryKey, progress)
      return userId ?? navigate({ to: '/buyer', search: { userId: sellerId, vin }, replace: true })
    },
  })
  const send = () => start.act({ body: { userId, vin } }).catch(setRefusal)
  const begin = useEffectEvent(() => {
    setRefusal(null)
    void send()
  })
  useEffect(() => begin(), [])
  if (hasErrorCode(refusal, startProgress, 'NotFound')) return <NoCar vin={vin} />
  if (hasErrorCode(refusal, startProgress, 'OwnCar')) return <OwnCar userId={myId} vin={vin} />
  return <LoadingPurchase error={refusal} onRetry={send} />
}

function LoadingPurchase({ error, onRetry }: { error: ApiError | null; onRetry: () => unknown }) {
  const code = error?.code
  useEffect(() => {
    if (code) console.error('Progress could not be fetched:', code)
  }, [code])
  return (
    <PurchasePage>
      {error ? (
        <Failure sentence={own.loadFailed} fault={error} onRetry={onRetry} action={<DashboardButton />} />
      ) : (
        <Spinner label={buyingTexts.loading} />
      )}
    </PurchasePage>
  )
}

const NoCar = ({ vin }: { vin: string }) => (
  <PurchasePage>
    <NoCarDialog vin={vin} />
  </PurchasePage>
)

const OwnCar = (car: CarOfSeller) => (
  <PurchasePage>
    <Outcome
      kind="waiting"
      title={own.ownCarTitle}
      action={
        <LinkButton to="/car/seller" search={car}>
          {own.ownCarLink}
        </LinkButton>
      }
    >
      {own.ownCarText}
    </Outcome>
  </PurchasePage>
)

const DashboardButton = () => (
  <HomeButton side="buying" variant="default">
    {own.dashboard}
  </HomeButton>
)

/** Shown when the purchase was deleted while it was open. Only a click starts it again. */
const PurchaseGone = ({ onStartAgain }: { onStartAgain: () => void }) => (
  <PurchasePage>
    <Outcome
      kind="waiting"
      title={own.goneTitle}
      action={
        <>
          <Button variant="default" onClick={onStartAgain}>
            {own.startAgain}
          </Button>
          <HomeButton side="buying">{buyingTexts.toHome}</HomeButton>
        </>
      }
    >
      {own.goneText}
    </Outcome>
  </PurchasePage>
)

/** Asks for the VIN when the URL names no car (R-deals-4). */
function EnterVinDialog() {
  const navigate = useNavigate()
  const [vin, setVin] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  // The first stages may look up the VIN of a trade.
  useEffect(warmUpVinLookUp, [])
  const submit = () => {
    const found = validateVin(vin)
    setFault(found)
    if (found) return field.current?.focus()
    // Replaces the history entry of the dialog, so that Back leaves the purchase.
    return navigate({ to: '/buyer', search: { vin }, replace: true })
  }
  return (
    <Dialog
      title={buyingTexts.enterVinTitle}
      size="sm"
      onClose={() => void navigate({ to: '/home', search: { view: 'buying' } })}
      onSubmit={submit}
      focusInside
      actions={<Button type="submit">{buyingTexts.submitVin}</Button>}
    >
      <VinField
        ref={field}
        label={buyingTexts.vin}
        value={vin}
        onChange={setVin}
        error={fault}
        maxLength={64}
        data-autofocus
      />
    </Dialog>
  )
}

/** Shown for a VIN without a listed car. Nothing is stored (R-deals-3). */
function NoCarDialog({ vin }: { vin: string }) {
  const navigate = useNavigate()
  const enterAnother = () => void navigate({ to: '/buyer', search: {}, replace: true })
  return (
    <Dialog
      title={buyingTexts.noCarTitle(vin)}
      size="sm"
      onClose={enterAnother}
      actions={<Button onClick={enterAnother}>{buyingTexts.differentVin}</Button>}
    >
      <Text>{buyingTexts.noCarText}</Text>
    </Dialog>
  )
}

function validateVin(vin: string): string | null {
  if (vin === '') return fieldTexts.vinRequired
  return isVinShape(vin) ? null : fieldTexts.vin
}
