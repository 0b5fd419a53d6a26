import type { ReactNode } from 'react'
import { AgreementPicture } from './agreement-picture.tsx'
import { landingTexts } from './landing-texts.ts'
import classes from './sample-sheet.module.css'

const texts = landingTexts.sheet

/** The agreement to read before anybody signs up: drawn small, and under it the whole text, which opens without a script. */
export const SampleSheet = ({ paper }: { paper: ReactNode }) => (
  <div className={classes.sample}>
    <div className={classes.intro}>
      <h2>{texts.title}</h2>
      <p>{texts.text}</p>
    </div>
    <div className={classes.sheet}>
      <div className={classes.small}>
        <AgreementPicture />
      </div>
      <details className={classes.whole}>
        <summary className={classes.open}>
          <span>{texts.open}</span>
          <span>{texts.close}</span>
        </summary>
        <div className={classes.paper}>
          <span className={classes.mark}>{texts.mark}</span>
          {paper}
        </div>
      </details>
    </div>
  </div>
)
