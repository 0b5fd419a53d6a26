import type { ReactNode } from 'react'
import { Logo } from '../../components/layout/logo.tsx'
import { PublicShell } from '../../components/layout/public-shell.tsx'
import { DocumentLink } from '../../components/navigation/document-link.tsx'
import { FooterLinks } from './footer-links.tsx'
import { pageTexts } from './page-texts.ts'

type RenderedFrameProps = { actions?: ReactNode; children: ReactNode }

export const ServerPageFrame = ({ actions, children }: RenderedFrameProps) => (
  <PublicShell
    logo={
      <DocumentLink href="/">
        <Logo />
      </DocumentLink>
    }
    actions={actions}
    footer={<FooterLinks help={<a href="/help">{pageTexts.footer.help}</a>} />}
  >
    {children}
  </PublicShell>
)
