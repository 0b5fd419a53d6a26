import type { ComponentProps } from 'react'
import { Logo } from '../../components/layout/logo.tsx'
import { Page } from '../../components/layout/page.tsx'
import { PublicShell } from '../../components/layout/public-shell.tsx'
import { DocumentLink } from '../../components/navigation/document-link.tsx'
import { TextLink } from '../../components/navigation/link.tsx'
import { FooterLinks } from './footer-links.tsx'
import { pageTexts } from './page-texts.ts'

/**
 * A page of the app that needs no sign-in. It has no menu, and the logo leads to the landing page.
 */
export function PublicPage({ width = 'wizard', ...page }: ComponentProps<typeof Page>) {
  return (
    <PublicShell
      logo={
        <DocumentLink href="/">
          <Logo />
        </DocumentLink>
      }
      footer={
        <FooterLinks
          help={
            <TextLink to="/help" inherit>
              {pageTexts.footer.help}
            </TextLink>
          }
        />
      }
    >
      <Page width={width} {...page} />
    </PublicShell>
  )
}
