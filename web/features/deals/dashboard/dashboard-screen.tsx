import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { useMyId, useUser } from '../../../auth/session.tsx'
import { useDraftNames } from '../../../auth/use-draft.ts'
import { useView } from '../../../auth/use-view.ts'
import { Page } from '../../../components/layout/page.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'
import { SideToggle } from '../../../components/navigation/side-toggle.tsx'
import type { SideName } from '../../../components/theme/theme.ts'
import { PasskeyOffer } from '../../accounts/passkeys/passkey-offer.tsx'
import { TradersOnly } from '../../accounts/traders-only.tsx'
import { priceDraft } from '../buying/buyer-request-dialogs.tsx'
import { carsOfUserQuery } from '../queries.ts'
import { BuyerCars } from './buyer-cars.tsx'
import { CarDialogs, type OpenCar } from './car-dialogs.tsx'
import type { CarsProps } from './car-list.tsx'
import { rowState } from './row-state.ts'
import { SellerCars } from './seller-cars.tsx'

const texts = dealTexts.home

type ViewTexts = { title: string; empty: string; failed: string; List: ComponentType<CarsProps> }
const views: Record<SideName, ViewTexts> = {
  selling: {
    title: texts.sellerTitle,
    empty: texts.sellerEmpty,
    failed: texts.sellerFailed,
    List: SellerCars,
  },
  buying: { title: texts.buyerTitle, empty: texts.buyerEmpty, failed: texts.buyerFailed, List: BuyerCars },
}

/** /home: the cars that a person sells or buys (R-deals-48). */
export function DashboardScreen() {
  const me = useMyId()
  const [view, setView] = useView()
  const [chosen, setOpen] = useState<OpenCar | null>()
  const drafts = useDraftNames()
  const { title, empty, failed, List } = views[view]
  const isSelling = view === 'selling'
  const cars = useQuery({
    ...carsOfUserQuery(me),
    select: (all) => all.filter((car) => (car.sellerId === me) === isSelling),
  })
  const drafted = cars.data?.find(({ vin }) => drafts.includes(priceDraft(vin)))
  const open = chosen ?? (chosen === undefined && drafted ? { dialog: 'price', carId: drafted._id } : null)
  if (useUser().userType === 'WHOLESALER') return <TradersOnly title={title} />
  const isEmpty = cars.data?.length === 0
  const hasNextUp = cars.data?.some((car) => rowState(car, 'SELLER').nextOf(car).isMine)
  const addCar = (
    <LinkButton to="/car/input" variant={hasNextUp ? 'default' : 'filled'}>
      {texts.addCar}
    </LinkButton>
  )
  return (
    <Page title={title} action={isSelling && !isEmpty && addCar} hasCompactAction>
      <PasskeyOffer />
      <div>
        <SideToggle
          label={texts.switcher}
          selling={texts.sellerView}
          buying={texts.buyerView}
          value={view}
          onChange={setView}
        />
      </div>
      <QueryContent
        key={view}
        from={cars}
        failed={failed}
        empty={empty}
        emptyPicture="cars"
        emptyAction={isSelling ? addCar : undefined}
      >
        {(own) => <List cars={own} onOpen={(dialog, { _id }) => setOpen({ dialog, carId: _id })} />}
      </QueryContent>
      <CarDialogs cars={cars.data ?? []} open={open} onOpen={setOpen} onClose={() => setOpen(null)} />
    </Page>
  )
}
