import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { carByVin, getProgress, startProgress } from '@keyturn/contract/deals/calls.ts'
import { wizardTexts as own } from '@keyturn/contract/deals/wizard-texts.ts'
import type { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { InvalidLink } from '../../cars/invalid-link.tsx'
import { useAct } from '../../decide/act.ts'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Outcome } from '../../ui/feedback/outcome.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { BackLink, LinkButton } from '../../ui/frame/link.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { useMyId } from '../../who/session.tsx'
import { isRefusedWith } from '../../wire/refusals.ts'
import { useCarLink, useIsBrokenLink } from '../../wire/search.ts'
import { carByVinQuery, progressQuery } from '../queries.ts'
import { CalledOffPurchase } from './called-off-purchase.tsx'
import { EnterVinDialog, NoCarDialog } from './enter-vin-dialog.tsx'
import { LostPurchase } from './lost-purchase.tsx'
import { Wizard } from './stages/wizard.tsx'

/** The guided purchase (R-deals-6). The server decides its stage; the address only names the seller and the car. */
export function BuyerScreen() {
  const { userId, vin } = useCarLink()
  const isBroken = useIsBrokenLink()
  if (isBroken) return <BrokenLink />
  if (!vin) {
    return (
      <Around>
        <EnterVinDialog />
      </Around>
    )
  }
  if (!userId) return <SellerOfVin vin={vin} />
  return <Purchase key={`${userId} ${vin}`} userId={userId} vin={vin} />
}

const BrokenLink = () => (
  <Page title={carTexts.public.invalid} width="wizard">
    <InvalidLink
      action={
        <LinkButton to="/home" search={{ view: 'buying' }}>
          {own.dashboard}
        </LinkButton>
      }
    />
  </Page>
)

type CarOfSeller = { userId: string; vin: string }

/** A VIN alone names at most one live listing (R-deals-4). */
function SellerOfVin({ vin }: { vin: string }) {
  const car = useQuery(carByVinQuery(vin))
  const myId = useMyId()
  if (isRefusedWith(car.error, carByVin, 'NotFound')) return <NoCar vin={vin} />
  if (car.data?.sellerId === myId) return <OwnCar userId={myId} vin={vin} />
  if (car.data) return <Navigate to="/buyer" search={{ userId: car.data.sellerId, vin }} replace />
  return <Waiting error={car.error} onRetry={() => void car.refetch()} />
}

function Purchase({ userId, vin }: CarOfSeller) {
  const client = useQueryClient()
  // Asked by the seller, the server answers with the intended buyer's progress.
  const isMine = useMyId() === userId
  const query = progressQuery(userId, vin)
  const progress = useQuery({ ...query, enabled: !isMine })
  const isNone = isRefusedWith(progress.error, getProgress, 'NotFound')
  if (isMine) return <FirstLook userId={userId} vin={vin} />
  if (progress.data && isNone) {
    return <Gone onStartAgain={() => void client.resetQueries({ queryKey: query.queryKey })} />
  }
  if (progress.data?.soldElsewhere) return <LostPurchase progress={progress.data} />
  if (progress.data?.calledOff) return <CalledOffPurchase progress={progress.data} />
  if (progress.data) return <Wizard progress={progress.data} readAt={progress.dataUpdatedAt} />
  if (isNone) return <FirstLook userId={userId} vin={vin} />
  return <Waiting error={progress.error} onRetry={() => void progress.refetch()} />
}

/** Without progress, the car is looked up first: only an existing one begins a purchase (R-deals-3). */
function FirstLook({ userId, vin }: CarOfSeller) {
  const car = useQuery(carByVinQuery(vin))
  const myId = useMyId()
  if (isRefusedWith(car.error, carByVin, 'NotFound')) return <NoCar vin={vin} />
  if (!car.data) return <Waiting error={car.error} onRetry={() => void car.refetch()} />
  if (car.data.sellerId !== userId) return <NoCar vin={vin} />
  if (userId === myId) return <OwnCar userId={userId} vin={vin} />
  return <Begin userId={userId} vin={vin} />
}

/** Creates the record once, however often this is mounted: a call under way is not sent again. */
function Begin({ userId, vin }: CarOfSeller) {
  const client = useQueryClient()
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const start = useAct(startProgress, {
    onDone: (progress) => client.setQueryData(progressQuery(userId, vin).queryKey, progress),
  })
  const begin = useEffectEvent(() => {
    setRefusal(null)
    start.act({ body: { userId, vin } }).catch(setRefusal)
  })
  useEffect(() => begin(), [])
  if (isRefusedWith(refusal, startProgress, 'NotFound')) return <NoCar vin={vin} />
  return <Waiting error={refusal} onRetry={() => start.act({ body: { userId, vin } }).catch(setRefusal)} />
}

function Waiting({ error, onRetry }: { error: Refusal | null; onRetry: () => unknown }) {
  const code = error?.code
  useEffect(() => {
    if (code) console.error('Progress could not be fetched:', code)
  }, [code])
  return (
    <Around>
      {error ? (
        <Failure sentence={own.loadFailed} fault={error} onRetry={onRetry} action={<ToDashboard />} />
      ) : (
        <Spinner label={buyingTexts.loading} />
      )}
    </Around>
  )
}

const NoCar = ({ vin }: { vin: string }) => (
  <Around>
    <NoCarDialog vin={vin} />
  </Around>
)

const OwnCar = (car: CarOfSeller) => (
  <Around>
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
  </Around>
)

const ToDashboard = () => (
  <LinkButton to="/home" search={{ view: 'buying' }} variant="default">
    {own.dashboard}
  </LinkButton>
)

/** The purchase was deleted elsewhere while open here; only the person may start it again. */
const Gone = ({ onStartAgain }: { onStartAgain: () => void }) => (
  <Around>
    <Outcome
      kind="waiting"
      title={own.goneTitle}
      action={
        <>
          <Button variant="default" onClick={onStartAgain}>
            {own.startAgain}
          </Button>
          <LinkButton to="/home" search={{ view: 'buying' }}>
            {buyingTexts.toHome}
          </LinkButton>
        </>
      }
    >
      {own.goneText}
    </Outcome>
  </Around>
)

function Around({ children }: { children: ReactNode }) {
  return (
    <Page
      title={own.title}
      quietTitle
      width="wizard"
      back={
        <BackLink to="/home" search={{ view: 'buying' }}>
          {own.dashboard}
        </BackLink>
      }
    >
      {children}
    </Page>
  )
}
