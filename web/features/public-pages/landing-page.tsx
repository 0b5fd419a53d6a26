import type { LandingPageData, Side } from '@keyturn/contract/shared/pages.ts'
import type { ReactNode } from 'react'
import { IconArrowRight } from '../../components/icons.tsx'
import { ButtonLink } from '../../components/navigation/button-link.tsx'
import { BothSides, sides } from './both-sides.tsx'
import { Claims } from './claims.tsx'
import { Faq } from './faq.tsx'
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
export function LandingPage({ side, link, home, testimonials, paper }: LandingProps) {
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
          <div className={classes.phone}>
            <BothSides>{(one) => <ScreenPicture screen={heroScreens[one]} />}</BothSides>
          </div>
        </div>
        <Badges />
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
                    <div className={classes.screen}>
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
        <Claims />
      </section>

      <div className={classes.band} data-later="">
        <section id="sheet" className={classes.section}>
          <SampleSheet paper={paper} />
        </section>
      </div>

      <Testimonials {...testimonials} />

      <section id="questions" className={`${classes.section} ${classes.twoColumns}`} data-later="">
        <h2>{texts.faqTitle}</h2>
        <Faq items={texts.faqs} />
        <h2>{texts.moreAnswers}</h2>
        <Faq items={[...pageTexts.help.items, ...pageTexts.help.more]} />
      </section>

      <div className={classes.close} data-later="">
        <section className={classes.section}>
          <h2>{texts.closing.title}</h2>
          <p>{texts.closing.text}</p>
          <div className={classes.actions}>
            {home ? <ContinueButton {...going} home={home} /> : <GetStarted link={link} />}
            <ButtonLink variant="default" href="#app" data-install="">
              {texts.downloadApp}
            </ButtonLink>
          </div>
        </section>
      </div>

      <section id="app" className={`${classes.section} ${classes.twoColumns}`} data-later="">
        <h2>{texts.app.title}</h2>
        <div>
          <p className={classes.quiet}>{texts.app.text}</p>
          <InstallSteps />
        </div>
        <h2 id="contact">{texts.contact.title}</h2>
        <p className={classes.quiet}>
          {texts.contact.text} <a href={`mailto:${texts.contact.email}`}>{texts.contact.email}</a>
        </p>
      </section>
    </ServerPageFrame>
  )
}

export const heroScreens = { selling: 'share', buying: 'car' } as const satisfies Record<Side, ScreenName>

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

/** Facts about every sale, each with a link to its proof. */
const Badges = () => (
  <ul className={classes.badges} aria-label={texts.badgesLabel}>
    {texts.badges.map(({ title, text, proof, toProof }) => (
      <li key={title} className={classes.badge}>
        <strong>{title}</strong>
        <span className={classes.quiet}>{text}</span>
        <a href={proof}>
          {toProof}
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
