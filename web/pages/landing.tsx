import { useState } from 'react'
import { LinkButton } from '../ui/frame/link.tsx'
import { useTabTitle } from '../ui/frame/page.tsx'
import { PublicShell } from '../ui/frame/public-shell.tsx'
import { Side } from '../ui/frame/side.tsx'
import { SideToggle } from '../ui/frame/side-toggle.tsx'
import type { SideName } from '../ui/frame/theme.ts'
import { type CarLink, useCarLink } from '../wire/search.ts'
import { AgreementPicture } from './agreement-picture.tsx'
import { Faq } from './faq.tsx'
import classes from './landing.module.css'
import { pageTexts } from './page-texts.ts'
import { LogoToStart, PublicFooter } from './public-page.tsx'

const texts = pageTexts.landing

/** The landing page (/); visitors from a shared link are buyers and go back to its car. */
export function Landing() {
  const car = useCarLink()
  const [side, setSide] = useState<SideName>(car.userId && car.vin ? 'buying' : 'selling')
  const copy = texts.sides[side]
  useTabTitle(texts.title)
  return (
    <Side side={side}>
      <PublicShell
        logo={<LogoToStart />}
        actions={<HeaderActions side={side} car={car} />}
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
              <LinkButton size="lg" {...startOf(side, car)}>
                {texts.createAccount}
              </LinkButton>
              <LinkButton size="lg" variant="default" {...loginOf(car)}>
                {texts.signIn}
              </LinkButton>
            </div>
          </div>
          <AgreementPicture />
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

        <section className={classes.section}>
          <h2>{texts.faqTitle}</h2>
          <Faq items={texts.faqs} />
        </section>

        <section className={classes.section}>
          <h2>{texts.closing.title}</h2>
          <p className={classes.quiet}>{texts.closing.text}</p>
          <div className={classes.actions}>
            <LinkButton {...startOf(side, car)}>{texts.getStarted}</LinkButton>
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

function HeaderActions({ side, car }: { side: SideName; car: CarLink }) {
  return (
    <>
      <LinkButton variant="subtle" color="gray" {...loginOf(car)}>
        {texts.logIn}
      </LinkButton>
      <LinkButton {...startOf(side, car)}>{texts.getStarted}</LinkButton>
    </>
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
