import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { LinkButton, PlainLink } from '../ui/frame/link.tsx'
import { useTabTitle } from '../ui/frame/page.tsx'
import { PublicShell } from '../ui/frame/public-shell.tsx'
import { Side } from '../ui/frame/side.tsx'
import { SideToggle } from '../ui/frame/side-toggle.tsx'
import type { SideName } from '../ui/frame/theme.ts'
import { isSomebodyRemembered, whenPersonChanges } from '../who/person.ts'
import { type CarLink, useCarLink } from '../wire/search.ts'
import { AgreementPicture } from './agreement-picture.tsx'
import { Faq } from './faq.tsx'
import classes from './landing.module.css'
import type { Visitor } from './landing-visitor.tsx'
import { pageTexts } from './page-texts.ts'
import { LogoToStart, PublicFooter } from './public-page.tsx'

const texts = pageTexts.landing

// Beside the page itself, which most visitors see before they have an account.
const LandingVisitor = lazy(() =>
  import('./landing-visitor.tsx').then(({ LandingVisitor }) => ({ default: LandingVisitor }), nothing),
)
const Testimonials = lazy(() =>
  import('./testimonials.tsx').then(({ Testimonials }) => ({ default: Testimonials }), nothing),
)

/** The landing page (/); visitors from a shared link are buyers and go back to its car. */
export function Landing() {
  const car = useCarLink()
  const [side, setSide] = useState<SideName>(car.userId && car.vin ? 'buying' : 'selling')
  const copy = texts.sides[side]
  const [visitor, setVisitor] = useState<Visitor | null>(null)
  const isRemembered = useSyncExternalStore(whenPersonChanges, isSomebodyRemembered)
  useTabTitle(texts.title)
  return (
    <Side side={side}>
      <PublicShell
        logo={<LogoToStart />}
        actions={<HeaderActions side={side} car={car} visitor={visitor} />}
        footer={<PublicFooter />}
      >
        <section className={`${classes.section} ${classes.hero}`}>
          <div className={classes.words}>
            <SideToggle
              label={texts.switcher}
              selling={texts.selling}
              buying={texts.buying}
              value={side}
              onChange={setSide}
            />
            <h1 className={classes.headline}>{copy.headline}</h1>
            <p className={classes.lead}>{copy.lead}</p>
            <div className={classes.actions}>
              {visitor ? (
                <GoOn size="lg" car={car} visitor={visitor} />
              ) : (
                <>
                  <LinkButton size="lg" {...startOf(side, car)}>
                    {texts.createAccount}
                  </LinkButton>
                  <LinkButton size="lg" variant="default" {...loginOf(car)}>
                    {texts.signIn}
                  </LinkButton>
                </>
              )}
            </div>
          </div>
          <div id="sheet">
            <AgreementPicture />
          </div>
        </section>

        <section className={classes.section}>
          <div className={classes.claims}>
            {copy.claims.map(({ title, text }) => (
              <div key={title}>
                <h2>{title}</h2>
                <p>{text}</p>
              </div>
            ))}
          </div>
          {side === 'buying' && <p className={classes.quiet}>* {texts.statesNote}</p>}
        </section>

        <section className={classes.section}>
          <h2>{texts.checksTitle}</h2>
          <div className={classes.badges}>
            <div className={classes.badge}>
              <h3>{texts.verified.title}</h3>
              <p>{texts.verified.text}</p>
            </div>
            {texts.badges.map(({ title, text, proof }) => (
              <PlainLink key={title} to="." hash={proof} className={classes.badge}>
                <h3>{title}</h3>
                <p>{text}</p>
              </PlainLink>
            ))}
          </div>
        </section>

        <section className={classes.section}>
          <h2>{copy.stepsTitle}</h2>
          <ol className={classes.steps}>
            {copy.steps.map(({ title, text }) => (
              <li key={title} className={classes.step}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ol>
        </section>

        <Suspense fallback={null}>
          <Testimonials />
          {isRemembered && <LandingVisitor onKnown={setVisitor} />}
        </Suspense>

        <section id="questions" className={classes.section}>
          <h2>{texts.faqTitle}</h2>
          <Faq items={texts.faqs} />
          <h2>{texts.moreAnswers}</h2>
          <Faq items={[...pageTexts.help.items, ...pageTexts.help.more]} />
        </section>

        <section className={classes.section}>
          <h2>{texts.closing.title}</h2>
          <p className={classes.quiet}>{texts.closing.text}</p>
          <div className={classes.actions}>
            {visitor ? (
              <GoOn car={car} visitor={visitor} />
            ) : (
              <LinkButton {...startOf(side, car)}>{texts.getStarted}</LinkButton>
            )}
            <LinkButton variant="default" to="." hash="app">
              {texts.downloadApp}
            </LinkButton>
          </div>
        </section>

        <div className={`${classes.section} ${classes.pair}`}>
          <section id="app">
            <h2>{texts.app.title}</h2>
            <p className={classes.quiet}>{texts.app.text}</p>
          </section>
          <section id="contact">
            <h2>{texts.contact.title}</h2>
            <p className={classes.quiet}>
              {texts.contact.text} <a href={`mailto:${texts.contact.email}`}>{texts.contact.email}</a>
            </p>
          </section>
        </div>
      </PublicShell>
    </Side>
  )
}

type Known = { car: CarLink; visitor: Visitor | null }

function HeaderActions({ side, car, visitor }: Known & { side: SideName }) {
  if (visitor) return <GoOn car={car} visitor={visitor} />
  return (
    <>
      <LinkButton variant="subtle" color="gray" {...loginOf(car)}>
        {texts.logIn}
      </LinkButton>
      <LinkButton {...startOf(side, car)}>{texts.getStarted}</LinkButton>
    </>
  )
}

/** For somebody who is signed in already: on to the car of the link, or to their own page (R-everywhere-28). */
function GoOn({ car: { userId, vin }, visitor, size }: Known & { size?: 'lg' }) {
  if (!visitor) return null
  return userId && vin ? (
    <LinkButton size={size} to="/buy-this-car" search={{ userId, vin }}>
      {texts.signedIn.toCar}
    </LinkButton>
  ) : (
    <LinkButton size={size} to={visitor.home}>
      {texts.signedIn.dashboard}
    </LinkButton>
  )
}

/** With userId and vin, Log In and the buyer's Get Started lead to /buy-this-car (R-everywhere-28). */
const loginOf = ({ userId, vin }: CarLink) =>
  userId && vin ? ({ to: '/buy-this-car', search: { userId, vin } } as const) : ({ to: '/login' } as const)

function startOf(side: SideName, { userId, vin }: CarLink) {
  if (side === 'selling') return { to: '/register/seller', search: { userId, vin } } as const
  if (userId && vin) return { to: '/buy-this-car', search: { userId, vin } } as const
  return { to: '/register/buyer', search: { userId, vin } } as const
}

/** A part that could not be loaded is left out; the page does without it. */
function nothing() {
  return { default: () => null }
}
