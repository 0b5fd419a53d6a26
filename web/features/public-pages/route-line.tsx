import type { ReactNode } from 'react'
import { type Icon, IconBuildingStore, IconKey, IconSteeringWheel } from '../../components/icons.tsx'
import { BothSides } from './both-sides.tsx'
import { landingTexts } from './landing-texts.ts'
import classes from './route-line.module.css'

const texts = landingTexts.route
const tracks = ['title', 'money', 'loan'] as const
type Track = (typeof tracks)[number]

/**
 * The route of the title, the money and the loan, as a list of three stations. The lines between
 * them repeat the text below, which matches `contract/dealers/next-steps.ts`.
 */
export const RouteLine = () => (
  <BothSides>
    {(side) => {
      const { seller, sellerText, buyer, buyerText, aside, ...said } = landingTexts.sides[side].route
      const isSelling = side === 'selling'
      return (
        <>
          <ol className={classes.stations}>
            <Station icon={IconKey} title={seller} text={sellerText} isYou={isSelling}>
              <Leg aside={isSelling ? aside : null} />
            </Station>
            <Station icon={IconBuildingStore} title={texts.dealer} text={texts.dealerText}>
              <Leg aside={isSelling ? null : aside} isMirrored />
            </Station>
            <Station icon={IconSteeringWheel} title={buyer} text={buyerText} isYou={!isSelling} />
          </ol>
          <dl className={classes.lanes}>
            {tracks.map((track) => (
              <div key={track}>
                <dt>
                  <Swatch track={track} />
                  {texts.lanes[track]}
                </dt>
                <dd>{said[track]}</dd>
              </div>
            ))}
          </dl>
        </>
      )
    }}
  </BothSides>
)

type StationProps = { icon: Icon; title: string; text: string; isYou?: boolean; children?: ReactNode }

const Station = ({ icon: Icon, title, text, isYou = false, children }: StationProps) => (
  <li className={classes.station}>
    <span className={classes.node} data-you={isYou}>
      <Icon size={30} stroke={1.5} />
    </span>
    <div>
      <h3 className={classes.name}>{title}</h3>
      <p className={classes.text}>{text}</p>
    </div>
    {children}
  </li>
)

/** The title in one direction and the money in the other, with what is added from the side. */
const Leg = ({ aside, isMirrored = false }: { aside: string | null; isMirrored?: boolean }) => (
  <div className={classes.leg} aria-hidden="true" data-mirrored={isMirrored}>
    <svg className={classes.across} viewBox="0 0 240 72" aria-hidden="true">
      <path className={classes.titleLine} pathLength="1" d="M6 28C60 2 180 2 234 28" />
      <path className={classes.titleTip} d="M227.5 19.1 234 28l-11 .4" />
      <path className={classes.moneyLine} d="M234 44C180 70 60 70 6 44" />
      <path className={classes.moneyTip} d="M12.5 52.9 6 44l11-.4" />
    </svg>
    <span className={classes.labels}>
      <span>{texts.short.title}</span>
      <span>{texts.short.money}</span>
    </span>
    {aside !== null && (
      <span className={classes.aside}>
        <span className={classes.pill}>{aside}</span>
        <svg className={classes.spur} viewBox="0 0 64 68" aria-hidden="true">
          <path className={classes.loanLine} d="M2 18H26Q62 18 62 66" />
        </svg>
      </span>
    )}
  </div>
)

const Swatch = ({ track }: { track: Track }) => (
  <svg className={classes.swatch} viewBox="0 0 40 12" aria-hidden="true">
    <path className={classes[`${track}Line`]} d="M2 6H38" />
  </svg>
)
