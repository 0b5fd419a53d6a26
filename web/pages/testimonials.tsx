import { IconStar, IconStarFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import classes from './landing.module.css'
import { pageTexts } from './page-texts.ts'

const texts = pageTexts.landing.testimonials

type Testimonials = { isSample: boolean; said: { name: string; stars: number; text: string }[] }

/** What people say, if anybody has said something; samples are labelled (R-everywhere-37). */
export function Testimonials() {
  const { data } = useQuery({
    queryKey: ['testimonials'],
    queryFn: read,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data || data.said.length === 0) return null
  return (
    <section className={classes.section}>
      <h2>{texts.title}</h2>
      {data.isSample && <p className={classes.quiet}>{texts.sampleHint}</p>}
      <ul className={classes.testimonials}>
        {data.said.map(({ name, stars, text }) => (
          <li key={name} className={classes.testimonial}>
            {data.isSample && <span className={classes.sample}>{texts.sample}</span>}
            <Stars stars={stars} />
            <p>{text}</p>
            <p className={classes.quiet}>{name}</p>
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

async function read({ signal }: { signal: AbortSignal }): Promise<Testimonials> {
  const answer = await fetch('/testimonials.json', { signal })
  if (!answer.ok) throw new Error(`testimonials: ${answer.status}`)
  return answer.json()
}
