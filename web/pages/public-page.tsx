import type { ComponentProps } from 'react'
import { ColorSchemeControl } from '../ui/frame/color-scheme.tsx'
import { DocumentLink } from '../ui/frame/document-link.tsx'
import { TextLink } from '../ui/frame/link.tsx'
import { Logo } from '../ui/frame/logo.tsx'
import { Page } from '../ui/frame/page.tsx'
import { PublicShell } from '../ui/frame/public-shell.tsx'
import { FooterLinks } from './footer-links.tsx'
import { pageTexts } from './page-texts.ts'

/** A page of the app that needs no sign-in: no menu, and the logo leads to the landing page. */
export function PublicPage({ width = 'wizard', ...page }: ComponentProps<typeof Page>) {
  return (
    <PublicShell
      logo={
        <DocumentLink href="/">
          <Logo />
        </DocumentLink>
      }
      footer={
        <>
          <FooterLinks
            help={
              <TextLink to="/help" inherit>
                {pageTexts.footer.help}
              </TextLink>
            }
          />
          <ColorSchemeControl />
        </>
      }
    >
      <Page width={width} {...page} />
    </PublicShell>
  )
}
