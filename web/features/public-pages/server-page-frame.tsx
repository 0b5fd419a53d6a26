import type { ReactNode } from 'react'
import { Logo } from '../../components/layout/logo.tsx'
import { PublicShell } from '../../components/layout/public-shell.tsx'
import { DocumentLink } from '../../components/navigation/document-link.tsx'
import { texts } from '../../components/texts.ts'
import { FooterLinks } from './footer-links.tsx'
import { pageTexts } from './page-texts.ts'
import classes from './segments.module.css'

type RenderedFrameProps = { actions?: ReactNode; children: ReactNode }

export const ServerPageFrame = ({ actions, children }: RenderedFrameProps) => (
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

/** `web/ssr/script` makes it work; without a script it is hidden. */
const SchemeSwitch = () => (
  <fieldset className={`${classes.segments} ${classes.scripted}`} data-schemes>
    <legend className={classes.legend}>{texts.colorScheme}</legend>
    {texts.schemes.map(({ scheme, word }) => (
      <label key={scheme} className={classes.segment}>
        <input type="radio" name="scheme" value={scheme} defaultChecked={scheme === 'auto'} />
        <span>{word}</span>
      </label>
    ))}
  </fieldset>
)
