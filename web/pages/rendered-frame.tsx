import type { ReactNode } from 'react'
import { DocumentLink } from '../ui/frame/document-link.tsx'
import { Logo } from '../ui/frame/logo.tsx'
import { PublicShell } from '../ui/frame/public-shell.tsx'
import { FooterLinks } from './footer-links.tsx'
import { pageTexts } from './page-texts.ts'
import { SchemeSwitch } from './scheme-switch.tsx'

type RenderedFrameProps = { actions?: ReactNode; children: ReactNode }

/** The frame of the pages that the server renders. */
export const RenderedFrame = ({ actions, children }: RenderedFrameProps) => (
  <PublicShell
    logo={
      <DocumentLink href="/">
        <Logo />
      </DocumentLink>
    }
    actions={actions}
    footer={
      <>
        <FooterLinks help={<a href="/help">{pageTexts.footer.help}</a>} />
        <SchemeSwitch />
      </>
    }
  >
    {children}
  </PublicShell>
)
