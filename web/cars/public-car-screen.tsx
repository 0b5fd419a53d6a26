import type { Person } from '@keyturn/contract/accounts/calls.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { PublicCar } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import type { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { Anchor, Group, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useCarLink } from '../search.ts'
import { useVisitor } from '../session.tsx'
import { Card } from '../ui/card.tsx'
import { ColorSchemeControl } from '../ui/color-scheme.tsx'
import { DealHeader } from '../ui/deal-header.tsx'
import { FactTable } from '../ui/fact-table.tsx'
import { LinkButton, PlainLink } from '../ui/link.tsx'
import { Logo } from '../ui/logo.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { PublicShell } from '../ui/public-shell.tsx'
import { Side } from '../ui/side.tsx'
import { Waiting } from '../ui/skeletons.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { BuyButton } from './buy-button.tsx'
import { CarFacts } from './car-card.tsx'
import { publicCarQuery } from './queries.ts'

const texts = carTexts.public

/** /car?userId&vin: what the shared link shows, to anyone (1 s2). */
export function PublicCarScreen() {
  const { userId, vin } = useCarLink()
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
        {userId && vin ? <LinkedCar userId={userId} vin={vin} /> : <InvalidLink />}
      </PublicShell>
    </Side>
  )
}

function LinkedCar({ userId, vin }: { userId: string; vin: string }) {
  const page = useQuery(publicCarQuery(userId, vin))
  if (page.data) return <SharedCar seller={page.data.user} car={page.data.car} />
  if (page.error && leadsNowhere(page.error)) return <InvalidLink />
  return (
    <Page title={texts.title}>
      {page.error ? (
        <Trouble onRetry={() => void page.refetch()}>{page.error.message}</Trouble>
      ) : (
        <Waiting shape="cards" rows={3} />
      )}
    </Page>
  )
}

function SharedCar({ seller, car }: { seller: Person; car: PublicCar }) {
  const visitor = useVisitor()
  const { sellerId: userId, vin } = car
  const isOwn = visitor?._id === userId
  const isPending = car.status === 'ACCEPTED' || car.status === 'COMPLETED'
  const name = carName({ year: car.year, make: car.make, carModel: car.carModel })
  return (
    <Page
      title={texts.welcome(fullName(seller), name)}
      documentTitle={name}
      action={<BuyButton userId={userId} vin={vin} visitor={visitor} isPending={isPending} isOwn={isOwn} />}
    >
      {isOwn ? (
        <OwnCar userId={userId} vin={vin} />
      ) : (
        isPending && <Notice kind="waiting">{texts.pendingHint}</Notice>
      )}
      <DealHeader title={carName(car)} price={car.price} unsetPrice={carTexts.toBeAgreed} vin={vin} />
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

function SellerFacts({ seller }: { seller: Person }) {
  const { email, phoneNumber } = seller
  return (
    <FactTable
      facts={[
        { term: texts.name, value: fullName(seller) },
        { term: texts.email, value: email && <Anchor href={`mailto:${email}`}>{email}</Anchor> },
        { term: texts.phone, value: phoneNumber && <Anchor href={telOf(phoneNumber)}>{phoneNumber}</Anchor> },
      ]}
    />
  )
}

function OwnCar({ userId, vin }: { userId: string; vin: string }): ReactNode {
  return (
    <Notice kind="info" title={texts.ownCar}>
      <LinkButton to="/car/seller" search={{ userId, vin }} variant="default" size="sm" mt="xs">
        {texts.toOwnCar}
      </LinkButton>
    </Notice>
  )
}

function InvalidLink() {
  return (
    <Page title={texts.invalid} lead={texts.invalidHint} width="wizard">
      <Group gap="sm">
        <LinkButton to="/login" variant="default">
          {texts.logIn}
        </LinkButton>
        <LinkButton to="/register">{texts.getStarted}</LinkButton>
      </Group>
    </Page>
  )
}

/** The link itself is at fault; when the network or the server is away, the link may still be good. */
const leadsNowhere = ({ status }: Refusal) => status >= 400 && status < 429

const telOf = (phone: string) => `tel:${phone.replace(/[^+\d]/g, '')}`
