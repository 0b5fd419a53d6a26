import type { ReactNode } from 'react'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { Page } from '../../components/layout/page.tsx'
import { FullPageBackLink } from '../../components/navigation/document-link.tsx'
import { texts as shared } from '../../components/texts.ts'
import { pageTexts } from './page-texts.ts'
import { ServerPageFrame } from './server-page-frame.tsx'

type FormFrameProps = {
  title: ReactNode
  lead?: ReactNode
  back: string
  backTo?: string
  children: ReactNode
}

export const FormFrame = ({ title, lead, back, backTo = '/', children }: FormFrameProps) => (
  <ServerPageFrame>
    <Page
      width="wizard"
      title={title}
      lead={lead}
      back={<FullPageBackLink href={backTo}>{back}</FullPageBackLink>}
    >
      <noscript>
        <ErrorNotice>{pageTexts.needsScripts}</ErrorNotice>
      </noscript>
      {children}
    </Page>
    <FormTemplates />
  </ServerPageFrame>
)

/** Templates with the app's texts and styles, filled in by `components/fields/bind-form.ts`. */
const FormTemplates = () => (
  <>
    <template data-part="wrong-field">
      <TextField label={shared.notLoaded} error={shared.notLoaded} />
    </template>
    <template data-part="trouble">
      <ErrorNotice>{shared.notLoaded}</ErrorNotice>
    </template>
    <template data-part="trouble-with-cause">
      <ErrorNotice title={shared.notLoaded}>{shared.notLoaded}</ErrorNotice>
    </template>
    <template data-part="trouble-to-reload">
      <ErrorNotice title={shared.notLoaded} onRetry={noop} retry={shared.reload}>
        {shared.notLoaded}
      </ErrorNotice>
    </template>
  </>
)

/** The button is only rendered here; the script handles the click. */
const noop = () => undefined
