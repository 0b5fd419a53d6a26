import type { Person } from '@keyturn/contract/accounts/endpoints.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { CarChecks, CarPageData, CarVisitor } from '@keyturn/contract/cars/car-pages.ts'
import type { PublicCar } from '@keyturn/contract/cars/endpoints.ts'
import { carName, isSalePending, type VisitorPart } from '@keyturn/contract/cars/rules.ts'
import { carTexts, detailNames, detailTexts } from '@keyturn/contract/cars/texts.ts'
import { formatMiles } from '@keyturn/contract/shared/miles.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { photoSources } from '@keyturn/contract/shared/photo-files.ts'
import { sanitizeLine } from '@keyturn/contract/shared/visible-text.ts'
import type { ReactNode } from 'react'
import { CarIllustration } from '../../components/display/car-picture.tsx'
import { PhoneLink } from '../../components/display/phone-link.tsx'
import { PhotoGallery, PhotoLink } from '../../components/display/photo-gallery.tsx'
import { PhotoRow } from '../../components/display/photo-strip.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Page } from '../../components/layout/page.tsx'
import { FactTable } from '../../components/lists/fact-table.tsx'
import { ButtonLink, DisabledButton } from '../../components/navigation/button-link.tsx'
import { texts as shared } from '../../components/texts.ts'
import { CarFacts, detailFacts, loanNote } from './car-card.tsx'
import { DealerCard } from './dealer-card.tsx'
import classes from './public-car-page.module.css'

const texts = carTexts.public

/** /car?userId&vin: the public page of a shared link (R-cars-16). */
export function PublicCarPage({ page }: { page: CarPageData }): ReactNode {
  switch (page.face) {
    case 'shared':
      return <SharedCar {...page} />
    case 'sold':
      return <SoldCar {...page} />
    case 'unsure':
      return <InvalidLink why={page.why} />
    case 'invalid':
      return <InvalidLink isKnown={page.isKnown} />
    case 'unavailable':
      return <InvalidLink isKnown={page.isKnown} isHidden />
  }
}

/** Returns the title for the tab, bookmarks and previews. */
export function carPageTitle(page: CarPageData): string {
  if (page.face === 'shared' || page.face === 'sold') return shortNameOf(page.car)
  return page.face === 'unavailable' ? texts.unavailable : texts.invalid
}

const shortNameOf = ({ year, make, carModel }: PublicCar) => carName({ year, make, carModel })

/** Returns the link preview, which describes the car and leaves out the seller. */
export function carPagePreview(page: CarPageData): { title: string; description: string } | null {
  if (page.face !== 'shared') return null
  const { car, state } = page
  const { preview } = texts
  return {
    title: preview.title(carName(car), priceOf(car)),
    description: preview.text(headFacts(car, state).join(', ')),
  }
}

/** Returns the photo that is visible without scrolling, for preloading. */
export function firstPictureSources(page: CarPageData): { srcSet: string; sizes: string } | undefined {
  const [first] = page.face === 'shared' || page.face === 'sold' ? page.car.photos : []
  return first && { srcSet: photoSources(first, 'avif'), sizes: firstSizes }
}

/** Matches the columns of `public-car-page.module.css`. */
const firstSizes = '(min-width: 62em) 611px, 100vw'
const smallSizes = '(min-width: 62em) 148px, 120px'
/** Photos in view on a wide screen: one large and four small ones. */
const mosaicSize = 5

const priceOf = ({ price }: PublicCar) => (price === null ? carTexts.toBeAgreed : formatUsd(price))

const headFacts = (car: PublicCar, state: string | null) => [
  formatMiles(car.mileage),
  sanitizeLine(car.color),
  ...(car.zipCode ? [texts.where(car.zipCode, state)] : []),
]

type Shared = Extract<CarPageData, { face: 'shared' }>

function SharedCar({ seller, car, state, visitor, dealer, checks }: Shared) {
  const isPending = isSalePending(car)
  const part = visitor?.part ?? 'none'
  const loan = loanNote(car)
  return (
    <div className={classes.page}>
      {noticeFor(part, isPending, queryOf(car))}
      <div className={classes.parts}>
        <div className={classes.first}>
          <CarPhotos car={car} />
          <div className={classes.words}>
            <h1 className={classes.title}>{texts.welcome(fullName(seller), shortNameOf(car))}</h1>
            <p className={classes.price} data-unset={car.price === null ? '' : undefined}>
              {priceOf(car)}
            </p>
            <ul className={classes.line}>
              {headFacts(car, state).map((fact) => (
                <li key={fact} className={classes.fact}>
                  {fact}
                </li>
              ))}
            </ul>
            {loan && <p>{loan}</p>}
            <Checks car={car} checks={checks} />
            {!isPending && part === 'none' && <p className={classes.quiet}>{texts.offer}</p>}
          </div>
          <div className={classes.buy}>
            <BuyButton car={car} visitor={visitor} isPending={isPending} />
            {(!isPending || part === 'confirmedBuyer') && <p className={classes.note}>{texts.binding}</p>}
          </div>
        </div>
        <div className={classes.second}>
          <div className={classes.column}>
            <SellersWords car={car} />
            <Card title={texts.carDetails}>
              <CarFacts car={car} more={detailFacts(car)} />
              <button type="button" className={classes.share} data-share={texts.shared}>
                {texts.share}
              </button>
            </Card>
            <DealerCard dealer={dealer} isOwed={car.payoff} />
          </div>
          <div className={classes.column}>
            <Card title={texts.how.title}>
              <ol className={classes.steps}>
                {texts.how.steps.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
            </Card>
            <Card title={texts.sellerDetails}>
              <SellerFacts seller={seller} />
            </Card>
          </div>
        </div>
      </div>
    </div>
  )
}

/** What was checked has a check mark; what the seller only stated has none (R-cars-38). */
const Checks = ({ car, checks: { isEmailConfirmed, decoded } }: { car: PublicCar; checks: CarChecks }) => (
  <ul className={classes.checks} aria-label={texts.checks.label}>
    {isEmailConfirmed && <li data-checked>{texts.checks.email}</li>}
    {decoded && <li data-checked>{texts.checks.vin(carName(decoded))}</li>}
    <li>{car.payoff ? texts.checks.loan : texts.checks.noLoan}</li>
  </ul>
)

/** Shows the first photo large and the others small (R-cars-31), or an illustration without photos (R-cars-21). */
function CarPhotos({ car }: { car: PublicCar }) {
  const { photos } = car
  const [first] = photos
  const name = carName(car)
  if (!first) {
    return (
      <div className={classes.photos}>
        <div className={classes.illustration} role="img" aria-label={texts.illustrationOf(name)}>
          <CarIllustration car={car} isFirst />
        </div>
        <p className={classes.mark} aria-hidden>
          {texts.illustration}
        </p>
      </div>
    )
  }
  return (
    <div className={classes.photos}>
      <PhotoGallery name={name}>
        <PhotoLink
          photo={first}
          at={0}
          count={photos.length}
          sizes={firstSizes}
          className={classes.photo}
          eager
        />
        {photos.length > 1 && (
          <>
            <p className={classes.count}>{texts.photoCount(photos.length)}</p>
            <PhotoRow
              photos={photos}
              name={name}
              from={1}
              sizes={smallSizes}
              className={classes.mosaic}
              more={
                photos.length > mosaicSize
                  ? { at: mosaicSize - 1, label: texts.morePhotos(photos.length - mosaicSize) }
                  : undefined
              }
            />
          </>
        )}
      </PhotoGallery>
    </div>
  )
}

/** The seller's own texts about the car, besides its details (R-cars-29). */
function SellersWords({ car }: { car: PublicCar }) {
  const said = detailNames.filter((name) => detailTexts[name].isProse && car[name])
  if (said.length === 0) return null
  return (
    <Card title={texts.fromSeller}>
      {said.map((name) =>
        name === 'description' ? (
          <p key={name} className={classes.said}>
            {car[name]}
          </p>
        ) : (
          <div key={name}>
            <h3 className={classes.saidOf}>{detailTexts[name].label}</h3>
            <p className={classes.said}>{car[name]}</p>
          </div>
        ),
      )}
    </Card>
  )
}

type BuyProps = { car: PublicCar; visitor: CarVisitor | null; isPending: boolean }

/**
 * A BUYER goes to the purchase, others to /buy-this-car (R-cars-18). Both pages read the referrer.
 */
function BuyButton({ car, visitor, isPending }: BuyProps) {
  const query = queryOf(car)
  const part = visitor?.part ?? 'none'
  if (part === 'signedBuyer') return <ButtonLink href={`/buyer${query}`}>{texts.viewDeal}</ButtonLink>
  if (part === 'buyer' || part === 'confirmedBuyer')
    return <ButtonLink href={`/buyer${query}`}>{texts.continue}</ButtonLink>
  if (isPending) return <DisabledButton>{texts.salePending}</DisabledButton>
  if (part === 'seller') return <DisabledButton>{texts.buy}</DisabledButton>
  return (
    <ButtonLink
      size="lg"
      href={`${visitor?.isBuyer ? '/buyer' : '/buy-this-car'}${query}`}
      referrerPolicy="same-origin"
    >
      {texts.buy}
    </ButtonLink>
  )
}

/** Describes the car's state to this visitor. A returning buyer uses the same public link. */
function noticeFor(part: VisitorPart, isPending: boolean, query: string): ReactNode {
  if (part === 'seller') {
    return (
      <Notice
        kind="info"
        title={texts.ownCar}
        action={
          <ButtonLink href={`/car/seller${query}`} variant="default">
            {texts.toOwnCar}
          </ButtonLink>
        }
      />
    )
  }
  if (part === 'signedBuyer') return <Notice kind="good" title={texts.bothSigned} />
  if (part === 'confirmedBuyer') return <Notice kind="good" title={texts.confirmed} />
  if (isPending) return <Notice kind="waiting">{texts.pendingHint}</Notice>
  return part === 'buyer' ? <Notice kind="info" title={texts.begun} /> : null
}

/**
 * Shown to the two parties and to buyers who lost the car; the link leads to their deal
 * (R-cars-19).
 */
function SoldCar({ car, part }: { car: PublicCar; part: VisitorPart }) {
  const isSeller = part === 'seller'
  // The seller's answer about a loan is out of date once the car is sold.
  const { payoff, ...facts } = car
  return (
    <Page title={carName(car)} width="wizard">
      <CarPhotos car={car} />
      {part === 'buyer' ? (
        <Notice kind="info" title={texts.lost} />
      ) : (
        <Notice kind="good" title={isSeller ? texts.sold : texts.bought} />
      )}
      <div className={classes.buttons}>
        <ButtonLink href={`${isSeller ? '/car/seller' : '/buyer'}${queryOf(car)}`}>
          {isSeller ? texts.toOwnCar : texts.viewDeal}
        </ButtonLink>
      </div>
      <Card title={texts.carDetails}>
        <CarFacts car={facts} more={detailFacts(car)} />
      </Card>
    </Page>
  )
}

type InvalidLinkProps = { why?: string; isKnown?: boolean; isHidden?: boolean }

/**
 * Does not reveal why the car was not found (R-cars-15). After a server failure the link may still
 * be valid, so the person can retry it (R-everywhere-33).
 */
const InvalidLink = ({ why, isKnown = false, isHidden = false }: InvalidLinkProps) => (
  <Page title={isHidden ? texts.unavailable : texts.invalid} width="wizard">
    <p>{isHidden ? texts.unavailableHint : why ? `${texts.mayBeGood} ${why}` : texts.invalidHint}</p>
    <div className={classes.buttons}>
      {why && <ButtonLink href="">{shared.tryAgain}</ButtonLink>}
      {isKnown ? (
        <ButtonLink href="/home">{texts.toDashboard}</ButtonLink>
      ) : (
        <>
          <ButtonLink href="/login" variant="default">
            {texts.logIn}
          </ButtonLink>
          <ButtonLink href="/register" variant={why ? 'default' : undefined}>
            {texts.getStarted}
          </ButtonLink>
        </>
      )}
    </div>
  </Page>
)

function SellerFacts({ seller }: { seller: Person }) {
  const { email, phoneNumber } = seller
  return (
    <FactTable
      facts={[
        { term: texts.name, value: fullName(seller) },
        { term: texts.email, value: email && <a href={`mailto:${email}`}>{email}</a> },
        { term: texts.phone, value: phoneNumber && <PhoneLink number={phoneNumber} /> },
      ]}
    />
  )
}

const queryOf = ({ sellerId: userId, vin }: PublicCar) => `?${new URLSearchParams({ userId, vin })}`
