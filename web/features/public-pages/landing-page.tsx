import type { LandingPageData, Side } from '@keyturn/contract/shared/pages.ts'
import type { ComponentProps, ReactNode } from 'react'
import { CarIllustration } from '../../components/display/car-picture.tsx'
import { IconArrowRight } from '../../components/icons.tsx'
import { ButtonLink } from '../../components/navigation/button-link.tsx'
import { BothSides, sides } from './both-sides.tsx'
import { Claims } from './claims.tsx'
import { Disclosure, Faq } from './faq.tsx'
import { InstallSteps } from './install-steps.tsx'
import classes from './landing-page.module.css'
import { landingTexts as texts } from './landing-texts.ts'
import { pageTexts } from './page-texts.ts'
import type { ScreenName } from './product-screens.ts'
import { RouteLine } from './route-line.tsx'
import { SampleSheet } from './sample-sheet.tsx'
import { ScreenPicture } from './screen-picture.tsx'
import segments from './segments.module.css'
import { ServerPageFrame } from './server-page-frame.tsx'
import { Testimonials } from './testimonials.tsx'

type LandingProps = LandingPageData & {
  /** A sample agreement. Its paragraph about the hold has the id `hold`. */
  paper: ReactNode
}

/**
 * The landing page (/). Visitors from a shared link are buyers and return to its car. The page
 * contains both sides and the style sheet shows the chosen one, so that the switch needs no script.
 */
export function LandingPage(props: LandingProps) {
  const { side, link, home, creditStates, contactAddress, testimonials, paper } = props
  const going = { link, home }
  return (
    <ServerPageFrame actions={<HeaderActions {...going} />}>
      <section className={`${classes.section} ${classes.hero}`}>
        <div className={classes.words}>
          <fieldset className={segments.segments}>
            <legend className={segments.legend}>{texts.switcher}</legend>
            {sides.map((one) => (
              <label key={one} className={segments.segment}>
                <input type="radio" name="side" value={one} defaultChecked={one === side} />
                <span>{texts[one]}</span>
              </label>
            ))}
          </fieldset>
          <BothSides>
            {(one) => (
              <>
                <h1 className={classes.headline}>{texts.sides[one].headline}</h1>
                <p className={classes.lead}>{texts.sides[one].lead}</p>
                <FirstActions side={one} {...going} />
              </>
            )}
          </BothSides>
        </div>
        <div className={classes.stage}>
          <BothSides>{(one) => <CarIllustration car={heroCars[one]} isFirst={one === side} />}</BothSides>
        </div>
        <Proofs />
      </section>

      <section className={classes.section} data-later="">
        <BothSides>
          {(one) => (
            <>
              <h2>{texts.sides[one].stepsTitle}</h2>
              <ol className={classes.steps}>
                {texts.sides[one].steps.map(({ title, text, screen }) => (
                  <li key={title} className={classes.step}>
                    <div>
                      <h3>{title}</h3>
                      <p className={classes.quiet}>{text}</p>
                    </div>
                    <div className={classes.screen} data-small={screen === smallScreens[one]}>
                      <ScreenPicture screen={screen} />
                    </div>
                  </li>
                ))}
              </ol>
            </>
          )}
        </BothSides>
      </section>

      <div className={classes.band} data-later="">
        <section className={classes.section}>
          <h2>{texts.route.title}</h2>
          <p className={classes.lead}>{texts.route.lead}</p>
          <RouteLine />
        </section>
      </div>

      <section className={classes.section} data-later="">
        <h2>{texts.claimsTitle}</h2>
        <Claims creditStates={creditStates} />
      </section>

      <div className={classes.band} data-later="">
        <section id="sheet" className={classes.section}>
          <SampleSheet paper={paper} />
        </section>
      </div>

      <Testimonials {...testimonials} />

      <section id="questions" className={`${classes.section} ${classes.twoColumns}`} data-later="">
        <h2>{texts.faqTitle}</h2>
        <div>
          <Faq items={texts.faqs} />
          <Disclosure title={texts.moreAnswers}>
            <div className={classes.more}>
              <Faq items={[...pageTexts.help.items, ...pageTexts.help.more]} order={4} />
            </div>
          </Disclosure>
        </div>
      </section>

      <section className={`${classes.section} ${classes.close}`} data-later="">
        <h2>{texts.closing.title}</h2>
        <p className={classes.quiet}>{texts.closing.text}</p>
        <div className={classes.actions}>
          {home ? <ContinueButton {...going} home={home} /> : <GetStarted link={link} />}
          <ButtonLink variant="default" href="#app" data-install="">
            {texts.downloadApp}
          </ButtonLink>
        </div>
        <div className={classes.app}>
          <Disclosure title={texts.app.title}>
            <div id="app">
              <p className={classes.quiet}>{texts.app.text}</p>
              <InstallSteps />
            </div>
          </Disclosure>
        </div>
        <p id="contact" className={classes.quiet}>
          {texts.contact} <a href={`mailto:${texts.email}`}>{texts.email}</a>
          {texts.byMail(contactAddress)}
        </p>
      </section>
    </ServerPageFrame>
  )
}

/** The toggle switches texts and colors (specification 1, section 1). */
const heroCars = {
  selling: { bodyType: 'suv', color: 'Green' },
  buying: { bodyType: 'sedan', color: 'Blue' },
} as const satisfies Record<Side, ComponentProps<typeof CarIllustration>['car']>

/** The only step with a picture on a phone. */
const smallScreens = { selling: 'share', buying: 'car' } as const satisfies Record<Side, ScreenName>

type Link = LandingPageData['link']
type LandingLinks = Pick<LandingPageData, 'link' | 'home'>

function HeaderActions({ link, home }: LandingLinks) {
  if (home) return <ContinueButton link={link} home={home} />
  return (
    <>
      <ButtonLink variant="subtle" href={loginOf(link)}>
        {texts.logIn}
      </ButtonLink>
      <GetStarted link={link} />
    </>
  )
}

const FirstActions = ({ side, link, home }: LandingLinks & { side: Side }) => (
  <div className={classes.actions}>
    {home ? (
      <ContinueButton size="lg" link={link} home={home} />
    ) : (
      <>
        <ButtonLink size="lg" href={startOf(side, link)}>
          {texts.createAccount}
        </ButtonLink>
        <ButtonLink size="lg" variant="default" href={loginOf(link)}>
          {texts.signIn}
        </ButtonLink>
      </>
    )}
  </div>
)

/** What a person can look up before an account exists: one line each, which is the link. */
const Proofs = () => (
  <ul className={classes.proofs} aria-label={texts.proofsLabel}>
    {texts.proofs.map(({ text, to }) => (
      <li key={to}>
        <a className={classes.proof} href={to}>
          {text}
          <IconArrowRight size={16} stroke={1.75} />
        </a>
      </li>
    ))}
  </ul>
)

const GetStarted = ({ link }: { link: Link }) => (
  <BothSides>{(side) => <ButtonLink href={startOf(side, link)}>{texts.getStarted}</ButtonLink>}</BothSides>
)

/** For signed-in people: leads to the link's car, or to their start page (R-everywhere-28). */
const ContinueButton = ({ link, home, size }: { link: Link; home: string; size?: 'lg' }) => (
  <ButtonLink size={size} href={toCar(link) ?? home}>
    {toCar(link) ? texts.signedIn.toCar : texts.signedIn.dashboard}
  </ButtonLink>
)

/**
 * If the link names a seller and a car, Log In and the buyer's Get Started lead to /buy-this-car
 * (R-everywhere-28).
 */
const loginOf = (link: Link) => toCar(link) ?? '/login'

const startOf = (side: Side, link: Link): string =>
  side === 'selling' ? `/register/seller${queryOf(link)}` : (toCar(link) ?? `/register/buyer${queryOf(link)}`)

const toCar = (link: Link) => (link.userId && link.vin ? `/buy-this-car${queryOf(link)}` : null)

function queryOf({ userId, vin }: Link): string {
  const query = new URLSearchParams({ ...(userId && { userId }), ...(vin && { vin }) })
  return query.size > 0 ? `?${query}` : ''
}
