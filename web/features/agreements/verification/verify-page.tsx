import { verificationTexts as texts } from '@keyturn/contract/agreements/verification/verification-texts.ts'
import type { VerifyPage as VerifyPageData } from '@keyturn/contract/agreements/verify-page.ts'
import { Page } from '../../../components/layout/page.tsx'
import buttons from '../../../components/navigation/button-link.module.css'
import { FullPageBackLink } from '../../../components/navigation/document-link.tsx'
import { pageTexts } from '../../public-pages/page-texts.ts'
import { ServerPageFrame } from '../../public-pages/server-page-frame.tsx'
import classes from './verify-page.module.css'

/**
 * /verify: checks files in the browser, and shows the state of an agreement's number (decision 41).
 */
export const VerifyPage = ({ number, status }: VerifyPageData) => (
  <ServerPageFrame>
    <Page
      title={texts.title}
      lead={texts.lead}
      width="paper"
      back={
        <FullPageBackLink href="/" data-back>
          {pageTexts.back}
        </FullPageBackLink>
      }
    >
      {status && <StatusCard number={number} status={status} />}
      <FilesSection />
      <NumberForm number={number} />
      <Templates />
    </Page>
  </ServerPageFrame>
)

const StatusCard = ({
  number,
  status,
}: Pick<VerifyPageData, 'number'> & { status: NonNullable<VerifyPageData['status']> }) => {
  const state = status === 'unknown' ? 'unknown' : status.state
  const { title, text } = texts.standings[state]
  return (
    <section className={classes.card} data-kind={kinds[state]} aria-labelledby="standing">
      <h2 id="standing" className={classes.title}>
        {title}
      </h2>
      <p>{text}</p>
      <dl className={classes.facts}>
        <dt>{texts.number.label}</dt>
        <dd>{number}</dd>
        {status !== 'unknown' && (
          <>
            <dt>{texts.standings.digest}</dt>
            <dd>{status.digest}</dd>
          </>
        )}
      </dl>
      {status !== 'unknown' && status.proven && (
        <p className={classes.quiet}>{texts.standings.logged(status.proven.head.size)}</p>
      )}
    </section>
  )
}

const kinds = { stands: 'good', cancelled: 'bad', superseded: 'bad', unknown: 'unsure' }

const FilesSection = () => (
  <section className={classes.part} aria-labelledby="files">
    <h2 id="files" className={classes.title}>
      {texts.files.title}
    </h2>
    <noscript>
      <p className={classes.drop}>{texts.files.needsScript}</p>
    </noscript>
    <div className={classes.drop} data-verify-drop hidden>
      <label className={`${buttons.button} ${classes.choose}`}>
        {texts.files.choose}
        <input
          className={classes.input}
          type="file"
          multiple
          accept="application/pdf,application/json,image/jpeg,.pdf,.json,.jpg,.jpeg"
          aria-describedby="files-hint files-private"
          data-verify-files
        />
      </label>
      <span className={classes.quiet}>{texts.files.drop}</span>
      <p id="files-hint" className={classes.quiet}>
        {texts.files.hint}
      </p>
    </div>
    <p id="files-private" className={classes.quiet}>
      {texts.files.private}
    </p>
    <div role="status" data-verify-status className={classes.quiet} />
    <div data-verify-results className={classes.results} />
  </section>
)

const NumberForm = ({ number }: Pick<VerifyPageData, 'number'>) => (
  <section className={classes.part} aria-labelledby="number">
    <h2 id="number" className={classes.title}>
      {texts.number.title}
    </h2>
    <form method="get" action="/verify" className={classes.form}>
      <label className={classes.field}>
        <span className={classes.label}>{texts.number.label}</span>
        <input
          className={classes.text}
          name="agreement"
          defaultValue={number ?? ''}
          required
          maxLength={64}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby="number-hint"
        />
      </label>
      <button type="submit" className={buttons.button}>
        {texts.number.submit}
      </button>
      <p id="number-hint" className={classes.quiet}>
        {texts.number.hint}
      </p>
    </form>
  </section>
)

/** Templates that the page's script clones, so that the script needs no styles of its own. */
const Templates = () => (
  <>
    <template data-verify-result>
      <section className={classes.card}>
        <h3 className={classes.name} data-part="name">
          {texts.files.title}
        </h3>
        <p className={classes.outcome} data-part="title" />
        <p data-part="text" />
        <div className={classes.notes} data-part="aside" hidden />
        <details data-part="details">
          <summary data-part="summary" />
          <ul className={classes.checks} data-part="checks" />
        </details>
      </section>
    </template>
    <template data-verify-check>
      <li className={classes.check}>
        <span data-part="label" />
        <span className={classes.verdict} data-part="verdict" />
      </li>
    </template>
  </>
)
