import type { Person } from '@keyturn/contract/accounts/calls.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { PublicCar } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { Anchor, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { DealHeader } from '../ui/deal/deal-header.tsx'
import { PhoneLink } from '../ui/deal/phone-link.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Card } from '../ui/frame/card.tsx'
import { ColorSchemeControl } from '../ui/frame/color-scheme.tsx'
import { LinkButton, PlainLink } from '../ui/frame/link.tsx'
import { Logo } from '../ui/frame/logo.tsx'
import { Page } from '../ui/frame/page.tsx'
import { PublicShell } from '../ui/frame/public-shell.tsx'
import { Side } from '../ui/frame/side.tsx'
import { FactTable } from '../ui/lists/fact-table.tsx'
import { Waiting } from '../ui/lists/skeletons.tsx'
import { useCarLink, useIsBrokenLink } from '../wire/search.ts'
import { BuyButton } from './buy-button.tsx'
import { CarFacts, loanOn } from './car-card.tsx'
import { InvalidLink, leadsNowhere } from './invalid-link.tsx'
import { publicCarQuery, visitorsCarQuery } from './queries.ts'
import { type Part, useVisitorsPart } from './use-visitors-part.ts'

const texts = carTexts.public

/** /car?userId&vin: what the shared link shows, to anyone (R-cars-16). */
export function PublicCarScreen() {
  const { userId, vin } = useCarLink()
  const isBroken = useIsBrokenLink()
  return (
    <Side side="buying">
      <PublicShell
        logo={
          <PlainLink to="/">
            <Logo />
          </PlainLink>
        }
        actions={<ColorSchemeControl />}
      >
        {userId && vin && !isBroken ? <LinkedCar userId={userId} vin={vin} /> : <Invalid />}
      </PublicShell>
    </Side>
  )
}

function LinkedCar({ userId, vin }: { userId: string; vin: string }) {
  const page = useQuery(publicCarQuery(userId, vin))
  const isGone = page.error !== null && leadsNowhere(page.error)
  if (isGone) return <SoldCar userId={userId} vin={vin} />
  if (page.data) return <SharedCar seller={page.data.user} car={page.data.car} />
  if (page.error) return <Invalid fault={page.error} onRetry={() => page.refetch()} />
  return (
    <Page title={texts.title}>
      <Waiting shape="cards" rows={3} />
    </Page>
  )
}

function SharedCar({ seller, car }: { seller: Person; car: PublicCar }) {
  const { sellerId: userId, vin } = car
  const part = useVisitorsPart(userId, vin)
  const isPending = car.status === 'ACCEPTED'
  const name = carName({ year: car.year, make: car.make, carModel: car.carModel })
  return (
    <Page
      title={texts.welcome(fullName(seller), name)}
      documentTitle={name}
      action={<BuyButton userId={userId} vin={vin} part={part} isPending={isPending} />}
    >
      {part && <Standing part={part} isPending={isPending} userId={userId} vin={vin} />}
      <DealHeader
        title={carName(car)}
        price={car.price}
        unsetPrice={carTexts.toBeAgreed}
        vin={vin}
        body={car.bodyType}
        photos={car.photos}
        remark={loanOn(car)}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Card title={texts.carDetails}>
          <CarFacts car={car} />
        </Card>
        <Card title={texts.sellerDetails}>
          <SellerFacts seller={seller} />
        </Card>
      </SimpleGrid>
    </Page>
  )
}

type StandingProps = { part: Part; isPending: boolean; userId: string; vin: string }

/** The car's state for this visitor: a buyer comes back by the same link that everybody else has. */
function Standing({ part, isPending, userId, vin }: StandingProps) {
  if (part === 'seller') {
    return (
      <Notice
        kind="info"
        title={texts.ownCar}
        action={
          <LinkButton to="/car/seller" search={{ userId, vin }} variant="default" size="sm">
            {texts.toOwnCar}
          </LinkButton>
        }
      />
    )
  }
  if (part === 'confirmedBuyer') return <Notice kind="good" title={texts.confirmed} />
  if (isPending) return <Notice kind="waiting">{texts.pendingHint}</Notice>
  return part === 'buyer' && <Notice kind="info" title={texts.begun} />
}

/** A sold car is shown only to its two parties, whom the link still leads to their deal. */
function SoldCar({ userId, vin }: { userId: string; vin: string }) {
  const part = useVisitorsPart(userId, vin)
  const isParty = part !== undefined && part !== 'none'
  const { data: car, isLoading } = useQuery({ ...visitorsCarQuery(userId, vin), enabled: isParty })
  if (part === undefined || isLoading) {
    return (
      <Page title={texts.title}>
        <Waiting shape="cards" rows={2} />
      </Page>
    )
  }
  if (!isParty || !car) return <Invalid />
  const isSeller = part === 'seller'
  return (
    <Page
      title={carName(car)}
      action={
        <LinkButton to={isSeller ? '/car/seller' : '/buyer'} search={{ userId, vin }}>
          {isSeller ? texts.toOwnCar : texts.continue}
        </LinkButton>
      }
    >
      <Notice kind="good" title={isSeller ? texts.sold : texts.bought} />
      <Card title={texts.carDetails}>
        <CarFacts car={car} />
      </Card>
    </Page>
  )
}

function SellerFacts({ seller }: { seller: Person }) {
  const { email, phoneNumber } = seller
  return (
    <FactTable
      facts={[
        { term: texts.name, value: fullName(seller) },
        { term: texts.email, value: email && <Anchor href={`mailto:${email}`}>{email}</Anchor> },
        { term: texts.phone, value: phoneNumber && <PhoneLink number={phoneNumber} /> },
      ]}
    />
  )
}

const Invalid = (why: ComponentProps<typeof InvalidLink>) => (
  <Page title={texts.invalid} width="wizard">
    <InvalidLink {...why} />
  </Page>
)
