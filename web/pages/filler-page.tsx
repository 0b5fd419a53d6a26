import { Notice } from '../ui/feedback/notice.tsx'
import { DocumentBackLink } from '../ui/frame/document-link.tsx'
import { Page } from '../ui/frame/page.tsx'
import classes from './filler-page.module.css'
import { RenderedFrame } from './rendered-frame.tsx'

type FillerPageProps = {
  title: string
  back: string
  placeholder: string
  sections: readonly { title: string; text: string }[]
}

/** Privacy and terms: text for the operator to replace, and a link back to the previous page. */
export const FillerPage = ({ title, back, placeholder, sections }: FillerPageProps) => (
  <RenderedFrame>
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
  </RenderedFrame>
)
