import type { ReactNode } from 'react'
import { ColorSchemeControl } from '../ui/frame/color-scheme.tsx'
import { PlainLink, TextLink } from '../ui/frame/link.tsx'
import { Logo } from '../ui/frame/logo.tsx'
import { Page } from '../ui/frame/page.tsx'
import { PublicShell } from '../ui/frame/public-shell.tsx'
import { pageTexts } from './page-texts.ts'
import classes from './public-page.module.css'

type PublicPageProps = {
  title: string
  lead?: ReactNode
  back?: ReactNode
  action?: ReactNode
  width?: 'wizard' | 'list' | 'paper'
  children: ReactNode
}

/** A page that needs no sign-in: no menu, and the logo leads to the landing page. */
export function PublicPage({ width = 'wizard', ...page }: PublicPageProps) {
  return (
    <PublicShell logo={<LogoToStart />} footer={<PublicFooter />}>
      <Page width={width} {...page} />
    </PublicShell>
  )
}

export const LogoToStart = () => (
  <PlainLink to="/">
    <Logo />
  </PlainLink>
)

const texts = pageTexts.footer

export function PublicFooter() {
  return (
    <>
      <div className={classes.about}>
        <nav className={classes.links} aria-label={texts.label}>
          <TextLink to="/help">{texts.help}</TextLink>
          <TextLink to="/privacy">{texts.privacy}</TextLink>
          <TextLink to="/tos">{texts.tos}</TextLink>
          <TextLink to="/contact">{texts.contact}</TextLink>
        </nav>
        <span>{texts.rights}</span>
      </div>
      <ColorSchemeControl />
    </>
  )
}
