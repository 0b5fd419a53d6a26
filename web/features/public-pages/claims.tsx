import type { LandingPageData } from '@keyturn/contract/shared/pages.ts'
import { IconShieldCheck } from '../../components/icons.tsx'
import { BothSides } from './both-sides.tsx'
import classes from './claims.module.css'
import { landingTexts as texts } from './landing-texts.ts'

type ClaimProps = Pick<LandingPageData, 'creditStates'> & {
  figure: string | null
  title: string
  text: string
  from: string
  note?: (creditStates: number) => string
  proof?: string
  toProof?: string
}

/** Claims with their sources, which are links where possible (R-everywhere-42). */
export const Claims = ({ creditStates }: Pick<LandingPageData, 'creditStates'>) => (
  <div className={classes.claims}>
    <BothSides>
      {(side) =>
        texts.sides[side].claims.map((claim) => (
          <Claim key={claim.title} {...claim} creditStates={creditStates} />
        ))
      }
    </BothSides>
    {texts.claimsOfBoth.map((claim) => (
      <Claim key={claim.title} {...claim} creditStates={creditStates} />
    ))}
  </div>
)

const Claim = ({ figure, title, text, from, note, creditStates, proof, toProof }: ClaimProps) => (
  <article className={classes.claim} data-claim>
    <h3 className={classes.title}>
      <span className={classes.figure}>{figure ?? <IconShieldCheck size={30} stroke={1.75} />} </span>
      {title}
    </h3>
    <p>
      {text}{' '}
      <span className={classes.from} data-from>
        <strong>{texts.from}</strong> {from} {note?.(creditStates)}{' '}
        {proof && <a href={`#${proof}`}>{toProof}</a>}
      </span>
    </p>
  </article>
)
