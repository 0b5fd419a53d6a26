import type { ReactNode } from 'react'
import classes from './faq.module.css'

type FaqProps = { items: readonly { id?: string; question: string; answer: string }[]; order?: 2 | 3 | 4 }

/** Questions that open without a script. */
export const Faq = ({ items, order }: FaqProps) => (
  <div>
    {items.map(({ id, question, answer }) => (
      <Disclosure key={question} id={id} title={question} order={order}>
        <p className={classes.answer}>{answer}</p>
      </Disclosure>
    ))}
  </div>
)

type DisclosureProps = { id?: string; title: string; order?: FaqProps['order']; children: ReactNode }

export function Disclosure({ id, title, order = 3, children }: DisclosureProps) {
  const Heading = `h${order}` as const
  return (
    <details id={id} className={classes.item}>
      <summary className={classes.question}>
        <Heading className={classes.heading}>{title}</Heading>
      </summary>
      {children}
    </details>
  )
}
