import type { ReactNode } from 'react'
import drawn from './agreement-picture.module.css'
import { landingTexts } from './landing-texts.ts'
import classes from './sample-sheet.module.css'

const pictureTexts = landingTexts.sheet.picture
const texts = landingTexts.sheet

/** A sample agreement: a small drawing of it, and the full text, which opens without a script. */
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

/** A sheet with two signatures. It is a drawing, so it has a single text alternative. */
function AgreementPicture() {
  return (
    <figure className={drawn.sheet} role="img" aria-label={pictureTexts.label}>
      {pictureTexts.lines.map(({ term, value }) => (
        <div key={term} className={drawn.line}>
          <span>{term}</span>
          <strong>{value}</strong>
        </div>
      ))}
      <div className={drawn.hands}>
        <DrawnSignature
          role={pictureTexts.seller}
          stroke="M6 30c8-18 14-24 17-20 4 5-10 22-8 23s9-14 12-13-2 11 1 11 8-13 11-12-3 11 0 11 9-12 14-13 3 12 8 12 14-10 26-13"
        />
        <DrawnSignature
          role={pictureTexts.buyer}
          stroke="M8 12c4 8 6 14 5 20M4 14c12-8 24-4 20 4-3 6-11 6-13 5 8 0 15 9 18 9s6-12 9-12-2 11 2 11 7-11 10-11-2 12 2 12 6-16 14-18 8 16 20 10"
        />
      </div>
    </figure>
  )
}

function DrawnSignature({ role, stroke }: { role: string; stroke: string }) {
  return (
    <div>
      <svg
        className={drawn.stroke}
        viewBox="0 0 112 40"
        preserveAspectRatio="xMinYMax meet"
        aria-hidden="true"
      >
        <path d={stroke} fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
      </svg>
      {role}
    </div>
  )
}
