import type { LandingPageData } from '@keyturn/contract/shared/pages.ts'
import { IconStar, IconStarFilled } from '../../components/icons.tsx'
import frame from './landing-page.module.css'
import { landingTexts } from './landing-texts.ts'
import classes from './testimonials.module.css'

const texts = landingTexts.testimonials

/** Testimonials, if there are any. Samples are labeled as such (R-everywhere-37). */
export function Testimonials({ isSample, said }: LandingPageData['testimonials']) {
  if (said.length === 0) return null
  return (
    <section className={frame.section} data-later="">
      <h2>{texts.title}</h2>
      {isSample && <p className={classes.quiet}>{texts.sampleHint}</p>}
      <ul className={classes.testimonials}>
        {said.map(({ name, stars, text }) => (
          <li key={name} className={classes.testimonial}>
            <span className={classes.head}>
              <Stars stars={stars} />
              <span className={classes.quiet}>{name}</span>
            </span>
            <p>
              {text} {isSample && <span className={classes.sample}>{texts.sample}</span>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Stars = ({ stars }: { stars: number }) => (
  <span role="img" aria-label={texts.stars(stars)} className={classes.stars}>
    {[1, 2, 3, 4, 5].map((star) =>
      star <= stars ? (
        <IconStarFilled key={star} size={18} />
      ) : (
        <IconStar key={star} size={18} stroke={1.5} />
      ),
    )}
  </span>
)
