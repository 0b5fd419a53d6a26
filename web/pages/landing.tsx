import type { LandingPage, Side } from '@keyturn/contract/kit/pages.ts'
import type { ReactNode } from 'react'
import { ButtonLink } from '../ui/frame/button-link.tsx'
import { DocumentLink } from '../ui/frame/document-link.tsx'
import { AgreementPicture } from './agreement-picture.tsx'
import { Faq } from './faq.tsx'
import { InstallSteps } from './install-steps.tsx'
import classes from './landing.module.css'
import { pageTexts } from './page-texts.ts'
import { RenderedFrame } from './rendered-frame.tsx'
import segments from './segments.module.css'
import { Testimonials } from './testimonials.tsx'

const texts = pageTexts.landing
const sides = ['selling', 'buying'] as const

/**
 * The landing page (/); visitors from a shared link are buyers and go back to its car. It holds the words of both sides,
 * and its style sheet shows those of the chosen one: the switch works at once, and without any script.
 */
export function Landing({ side, link, home, testimonials }: LandingPage) {
  const going = { link, home }
  return (
    <RenderedFrame actions={<HeaderActions {...going} />}>
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
          <OfSides>
            {(one) => (
              <>
                <h1 className={classes.headline}>{texts.sides[one].headline}</h1>
                <p className={classes.lead}>{texts.sides[one].lead}</p>
                <div className={classes.actions}>
                  {home ? (
                    <GoOn size="lg" {...going} home={home} />
                  ) : (
                    <>
                      <ButtonLink size="lg" href={startOf(one, link)}>
                        {texts.createAccount}
                      </ButtonLink>
                      <ButtonLink size="lg" variant="default" href={loginOf(link)}>
                        {texts.signIn}
                      </ButtonLink>
                    </>
                  )}
                </div>
              </>
            )}
          </OfSides>
        </div>
        <div id="sheet">
          <AgreementPicture />
        </div>
      </section>

      <section className={classes.section}>
        <OfSides>
          {(one) => (
            <>
              <div className={classes.claims}>
                {texts.sides[one].claims.map(({ title, text }) => (
                  <div key={title}>
                    <h2>{title}</h2>
                    <p>{text}</p>
                  </div>
                ))}
              </div>
              {one === 'buying' && <p className={classes.quiet}>* {texts.statesNote}</p>}
            </>
          )}
        </OfSides>
      </section>

      <section className={classes.section}>
        <h2>{texts.checksTitle}</h2>
        <div className={classes.badges}>
          <div className={classes.badge}>
            <h3>{texts.verified.title}</h3>
            <p>{texts.verified.text}</p>
          </div>
          {texts.badges.map(({ title, text, proof }) => (
            <DocumentLink key={title} href={`#${proof}`} className={classes.badge}>
              <h3>{title}</h3>
              <p>{text}</p>
            </DocumentLink>
          ))}
        </div>
      </section>

      <section className={classes.section}>
        <OfSides>
          {(one) => (
            <>
              <h2>{texts.sides[one].stepsTitle}</h2>
              <ol className={classes.steps}>
                {texts.sides[one].steps.map(({ title, text }) => (
                  <li key={title} className={classes.step}>
                    <h3>{title}</h3>
                    <p>{text}</p>
                  </li>
                ))}
              </ol>
            </>
          )}
        </OfSides>
      </section>

      <Testimonials {...testimonials} />

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
          {home ? <GoOn {...going} home={home} /> : <GetStarted link={link} />}
          <ButtonLink variant="default" href="#app" data-install="">
            {texts.downloadApp}
          </ButtonLink>
        </div>
      </section>

      <section id="app" className={classes.section}>
        <h2>{texts.app.title}</h2>
        <p className={classes.quiet}>{texts.app.text}</p>
        <InstallSteps />
      </section>

      <section id="contact" className={classes.section}>
        <h2>{texts.contact.title}</h2>
        <p className={classes.quiet}>
          {texts.contact.text} <a href={`mailto:${texts.contact.email}`}>{texts.contact.email}</a>
        </p>
      </section>
    </RenderedFrame>
  )
}

/** The same place for either side, of which one is shown. */
const OfSides = ({ children }: { children: (side: Side) => ReactNode }) =>
  sides.map((side) => (
    <div key={side} className={classes.ofSide} data-of={side}>
      {children(side)}
    </div>
  ))

type Link = LandingPage['link']

function HeaderActions({ link, home }: Pick<LandingPage, 'link' | 'home'>) {
  if (home) return <GoOn link={link} home={home} />
  return (
    <>
      <ButtonLink variant="subtle" href={loginOf(link)}>
        {texts.logIn}
      </ButtonLink>
      <GetStarted link={link} />
    </>
  )
}

const GetStarted = ({ link }: { link: Link }) => (
  <OfSides>{(side) => <ButtonLink href={startOf(side, link)}>{texts.getStarted}</ButtonLink>}</OfSides>
)

/** For somebody who is signed in already: on to the car of the link, or to their own page (R-everywhere-28). */
const GoOn = ({ link, home, size }: { link: Link; home: string; size?: 'lg' }) => (
  <ButtonLink size={size} href={toCar(link) ?? home}>
    {toCar(link) ? texts.signedIn.toCar : texts.signedIn.dashboard}
  </ButtonLink>
)

/** With userId and vin, Log In and the buyer's Get Started lead to /buy-this-car (R-everywhere-28). */
const loginOf = (link: Link) => toCar(link) ?? '/login'

const startOf = (side: Side, link: Link): string =>
  side === 'selling' ? `/register/seller${queryOf(link)}` : (toCar(link) ?? `/register/buyer${queryOf(link)}`)

const toCar = (link: Link) => (link.userId && link.vin ? `/buy-this-car${queryOf(link)}` : null)

function queryOf({ userId, vin }: Link): string {
  const query = new URLSearchParams({ ...(userId && { userId }), ...(vin && { vin }) })
  return query.size > 0 ? `?${query}` : ''
}
