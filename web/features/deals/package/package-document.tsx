import type { Person } from '@keyturn/contract/accounts/endpoints.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { buildAgreement } from '@keyturn/contract/agreements/agreement.ts'
import type { DealPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { decodeSheet } from '@keyturn/contract/agreements/sheet.ts'
import { packageTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { describeOwed, describeSurplus, loanTexts } from '@keyturn/contract/cars/loan-texts.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import type { Terms as SignedTerms } from '@keyturn/contract/deals/terms.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatDate } from '@keyturn/contract/shared/dates.ts'
import { formatMiles } from '@keyturn/contract/shared/miles.ts'
import { cents, formatUsd, formatUsdExact } from '@keyturn/contract/shared/money.ts'
import { sanitizeLine } from '@keyturn/contract/shared/visible-text.ts'
import { Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Money } from '../../../components/display/money.tsx'
import { PhotoGallery, PhotoLink } from '../../../components/display/photo-gallery.tsx'
import { PhotoRow } from '../../../components/display/photo-strip.tsx'
import { Timeline } from '../../../components/display/timeline.tsx'
import { Vin } from '../../../components/display/vin.tsx'
import { type Fact, FactTable, isKnownFact } from '../../../components/lists/fact-table.tsx'
import { AgreementSheet } from '../../agreements/agreement-sheet.tsx'
import { SealedAgreement } from '../../agreements/signed/sealed-agreement.tsx'
import { contactFacts } from '../selling/contact-facts.tsx'
import classes from './package-document.module.css'

const { events } = dealTexts

type DealProps = { deal: DealPackage }
type DocumentProps = DealProps & { state: ReactNode }

/** The package as the closing folder of the sale: every value is the package's own. */
export function PackageDocument({ deal, state }: DocumentProps) {
  const { agreement, dealer } = deal
  // The package's own copy of the terms lacks the operator's text.
  const { terms } = decodeSheet(agreement.sheet)
  return (
    <>
      <div className={classes.folder}>
        <Cover deal={deal} state={state} />
        <Section title={texts.parties}>
          <Parties deal={deal} />
        </Section>
        <Section title={texts.terms}>
          <Terms terms={terms} />
        </Section>
        <Section title={texts.trades}>
          <Trades deal={deal} />
        </Section>
        <Section title={texts.financing}>
          <Financing deal={deal} />
        </Section>
        <Section title={texts.agreement}>
          <SealedAgreement pkgId={deal._id} vin={deal.car.vin} agreement={agreement} />
        </Section>
        <Section title={texts.timeline}>
          <Timeline label={texts.timeline} entries={timelineOf(deal)} />
        </Section>
        <Section title={texts.dealer}>
          <p className={classes.name}>{dealer}</p>
          <FactStrip
            facts={[
              { term: texts.passedAt, value: formatDate(deal.createdAt) },
              { term: texts.completedAt, value: deal.completedAt && formatDate(deal.completedAt) },
            ]}
          />
        </Section>
      </div>
      <AgreementSheet terms={terms} seller={agreement.seller} buyer={agreement.buyer} />
    </>
  )
}

function Cover({ deal: { car, price }, state }: DocumentProps) {
  const name = carName(car)
  return (
    <header className={classes.cover}>
      <CoverPictures car={car} name={name} />
      <div className={classes.words}>
        <p className={classes.kind} aria-hidden="true">
          {texts.title}
        </p>
        {state}
        <h2 className={classes.car}>{name}</h2>
        <Vin value={car.vin} />
        <p className={classes.price}>
          <span>{texts.price}</span> <Money cents={price} />
        </p>
        <FactStrip
          facts={[
            { term: carTexts.fields.mileage, value: formatMiles(car.mileage) },
            { term: carTexts.fields.color, value: sanitizeLine(car.color) },
            { term: carTexts.facts.payoff, value: describeOwed(car) },
          ]}
        />
      </div>
    </header>
  )
}

function CoverPictures({ car, name }: { car: DealPackage['car']; name: string }) {
  const { photos } = car
  const [first] = photos
  // Without the body type, an illustration would show some other car.
  if (!first) return null
  return (
    <div className={classes.pictures}>
      <PhotoGallery name={name}>
        <PhotoLink
          photo={first}
          at={0}
          count={photos.length}
          sizes="(width < 48em) 100vw, 440px"
          className={classes.photo}
          eager
        />
        {photos.length > 1 && <PhotoRow photos={photos} name={name} from={1} />}
      </PhotoGallery>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2 className={classes.heading}>{title}</h2>
      <div className={classes.content}>{children}</div>
    </section>
  )
}

/** Facts beside each other, each below its label. */
function FactStrip({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.strip}>
      {facts.filter(isKnownFact).map(({ term, value }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export const Parties = ({ deal }: DealProps) => (
  <div className={classes.pair}>
    <PartyContact role={texts.seller} person={deal.seller} />
    <PartyContact role={texts.buyer} person={deal.buyer} />
  </div>
)

function PartyContact({ role, person }: { role: string; person: Person }) {
  return (
    <div className={classes.party}>
      <p className={classes.role}>{role}</p>
      <p className={classes.name}>{fullName(person)}</p>
      <dl>
        {contactFacts(person, texts)
          .filter(isKnownFact)
          .map(({ term, value }) => (
            <div key={term}>
              <VisuallyHidden component="dt">{term}</VisuallyHidden>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </div>
  )
}

/**
 * The signed terms, as a statement. Earlier texts of the agreement name no trade-ins, no remainder
 * and no loan; nothing is shown about them then.
 */
function Terms({ terms }: { terms: SignedTerms }) {
  const { facts, payment } = buildAgreement(terms)
  const { leftToPay } = terms
  return (
    <>
      <dl className={classes.statement}>
        <div>
          <dt>{texts.price}</dt>
          <dd>{formatUsd(terms.price)}</dd>
        </div>
        {terms.trades?.map(({ vin, year, make, model, value }) => (
          <div key={vin}>
            <dt>
              {texts.less(carName({ year, make, carModel: model, trim: '' }))}
              <span className={classes.sub}>
                <Vin value={vin} />
              </span>
            </dt>
            <dd>{`−${formatUsd(value)}`}</dd>
          </div>
        ))}
        {terms.trades?.map(({ vin, payoffAmount, lender }) =>
          payoffAmount == null ? null : (
            <div key={vin}>
              <dt>
                {texts.owed}
                {lender && <span className={classes.sub}>{loanTexts.to(lender)}</span>}
              </dt>
              <dd>{`+${formatUsd(payoffAmount)}`}</dd>
            </div>
          ),
        )}
        {leftToPay !== undefined && (
          <div className={classes.total}>
            <dt>
              {texts.leftToPay}
              {leftToPay < 0 && (
                <span className={classes.sub}>{describeSurplus(leftToPay, terms.trades ?? [])}</span>
              )}
              {terms.trades?.some(({ owes, payoffAmount }) => owes && payoffAmount == null) && (
                <span className={classes.sub}>{loanTexts.notIncluded}</span>
              )}
            </dt>
            <dd>{formatUsd(cents(Math.max(0, leftToPay)))}</dd>
          </div>
        )}
      </dl>
      {terms.trades?.length
        ? payment?.paragraphs.map((paragraph) => (
            <p key={paragraph} className={classes.note}>
              {paragraph}
            </p>
          ))
        : null}
      <FactTable
        facts={facts
          .filter(({ label }) => texts.alsoAgreed.some((one) => one === label))
          .map(({ label, value }) => ({ term: label, value }))}
      />
    </>
  )
}

export function Trades({ deal: { trades } }: DealProps) {
  if (trades.length === 0) return <Text>{texts.noTrades}</Text>
  return (
    <>
      {trades.map((trade) => {
        const name = carName(trade)
        return (
          <div key={trade._id} className={classes.trade}>
            <div>
              <h3 className={classes.name}>{name}</h3>
              <Vin value={trade.vin} />
            </div>
            {trade.photos.length > 0 && (
              <PhotoGallery name={name}>
                <PhotoRow photos={trade.photos} name={name} />
              </PhotoGallery>
            )}
            <FactStrip
              facts={[
                { term: texts.tradePrice, value: trade.price !== null && formatUsd(trade.price) },
                { term: texts.salesTax, value: trade.salesTax !== null && formatUsdExact(trade.salesTax) },
                { term: carTexts.fields.mileage, value: formatMiles(trade.mileage) },
                { term: carTexts.fields.color, value: sanitizeLine(trade.color) },
                { term: carTexts.facts.payoff, value: describeOwed(trade) },
              ]}
            />
          </div>
        )
      })}
      {trades.some(({ salesTax }) => salesTax) && <p className={classes.note}>{texts.notPaidOut}</p>}
    </>
  )
}

/** The financing wish for the dealer's credit desk (R-deals-14). */
export function Financing({ deal: { financing } }: DealProps) {
  if (!financing) return <Text>{texts.noFinancing}</Text>
  const { amount, termMonths, downPayment, contactConsent } = financing
  return (
    <FactStrip
      facts={[
        { term: texts.amount, value: amount !== null && formatUsd(amount) },
        { term: texts.term, value: termMonths !== null && texts.months(termMonths) },
        { term: texts.downPayment, value: downPayment !== null && formatUsd(downPayment) },
        { term: texts.contactConsent, value: contactConsent ? texts.yes : texts.no },
      ]}
    />
  )
}

/** The moments that the package itself dates, newest first. */
function timelineOf({ agreement, seller, buyer, createdAt, completedAt }: DealPackage) {
  const signed = [
    { id: 'buyer', at: agreement.buyer.signedAt, person: fullName(buyer), what: events.buyerSigned },
    { id: 'seller', at: agreement.seller.signedAt, person: fullName(seller), what: events.sellerSigned },
  ].sort((one, other) => (one.at < other.at ? 1 : -1))
  return [
    ...(completedAt ? [{ id: 'completed', at: completedAt, what: events.completed }] : []),
    { id: 'passed', at: createdAt, what: events.passed },
    ...signed,
  ]
}
