import type { ReactNode } from 'react'
import { DocumentTextLink } from '../../components/navigation/document-link.tsx'
import { pageTexts } from './page-texts.ts'
import classes from './public-page.module.css'

const texts = pageTexts.footer

/** `help` is a page of the app, so the app passes a router link. */
export const FooterLinks = ({ help }: { help: ReactNode }) => (
  <div className={classes.about}>
    <nav className={classes.links} aria-label={texts.label}>
      {help}
      <DocumentTextLink href="/privacy">{texts.privacy}</DocumentTextLink>
      <DocumentTextLink href="/tos">{texts.tos}</DocumentTextLink>
      <DocumentTextLink href="/developers">{texts.developers}</DocumentTextLink>
      <DocumentTextLink href="/contact">{texts.contact}</DocumentTextLink>
    </nav>
    <span>{texts.rights}</span>
  </div>
)
