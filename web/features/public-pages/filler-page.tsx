import { Notice } from '../../components/feedback/notice.tsx'
import { Page } from '../../components/layout/page.tsx'
import { DocumentBackLink } from '../../components/navigation/document-link.tsx'
import classes from './filler-page.module.css'
import { ServerPageFrame } from './server-page-frame.tsx'

type FillerPageProps = {
  title: string
  back: string
  placeholder: string
  sections: readonly { title: string; text: string }[]
}

/**
 * Privacy and terms: text that the operator should replace, and a link back to the previous page.
 */
export const FillerPage = ({ title, back, placeholder, sections }: FillerPageProps) => (
  <ServerPageFrame>
    <Page
      title={title}
      width="paper"
      back={
        <DocumentBackLink href="/" data-back>
          {back}
        </DocumentBackLink>
      }
    >
      <Notice kind="info">{placeholder}</Notice>
      {sections.map((section) => (
        <section key={section.title}>
          <h2 className={classes.title}>{section.title}</h2>
          <p>{section.text}</p>
        </section>
      ))}
    </Page>
  </ServerPageFrame>
)
