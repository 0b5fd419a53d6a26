import type { LegalText } from '@keyturn/contract/shared/pages.ts'
import { Notice } from '../../components/feedback/notice.tsx'
import { Page } from '../../components/layout/page.tsx'
import { FullPageBackLink } from '../../components/navigation/document-link.tsx'
import classes from './legal-page.module.css'
import { pageTexts } from './page-texts.ts'
import { ServerPageFrame } from './server-page-frame.tsx'

export type LegalPageProps = LegalText & {
  /** Marks our own text as a placeholder; absent for the operator's. */
  placeholder?: string
}

/** The privacy policy or the terms, and a link back to the previous page. */
export const LegalPage = ({ title, placeholder, opening, sections }: LegalPageProps) => (
  <ServerPageFrame>
    <Page
      title={title}
      width="paper"
      back={
        <FullPageBackLink href="/" data-back>
          {pageTexts.back}
        </FullPageBackLink>
      }
    >
      {placeholder && <Notice kind="info">{placeholder}</Notice>}
      <Paragraphs of={opening} />
      {sections.map((section) => (
        <section key={section.title}>
          <h2 className={classes.title}>{section.title}</h2>
          <Paragraphs of={section.paragraphs} />
        </section>
      ))}
    </Page>
  </ServerPageFrame>
)

const Paragraphs = ({ of }: { of: readonly string[] }) => of.map((text) => <p key={text}>{text}</p>)
