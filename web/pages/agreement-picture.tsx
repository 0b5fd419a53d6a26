import classes from './agreement-picture.module.css'
import { landingTexts } from './landing-texts.ts'

const texts = landingTexts.sheet.picture

/** One sheet with two signatures. As a drawing, it has a single text alternative. */
export function AgreementPicture() {
  return (
    <figure className={classes.sheet} role="img" aria-label={texts.label}>
      {texts.lines.map(({ term, value }) => (
        <div key={term} className={classes.line}>
          <span>{term}</span>
          <strong>{value}</strong>
        </div>
      ))}
      <div className={classes.hands}>
        <Hand
          role={texts.seller}
          stroke="M6 30c8-18 14-24 17-20 4 5-10 22-8 23s9-14 12-13-2 11 1 11 8-13 11-12-3 11 0 11 9-12 14-13 3 12 8 12 14-10 26-13"
        />
        <Hand
          role={texts.buyer}
          stroke="M8 12c4 8 6 14 5 20M4 14c12-8 24-4 20 4-3 6-11 6-13 5 8 0 15 9 18 9s6-12 9-12-2 11 2 11 7-11 10-11-2 12 2 12 6-16 14-18 8 16 20 10"
        />
      </div>
    </figure>
  )
}

function Hand({ role, stroke }: { role: string; stroke: string }) {
  return (
    <div>
      <svg
        className={classes.stroke}
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
