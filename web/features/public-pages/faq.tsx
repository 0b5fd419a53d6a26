import classes from './faq.module.css'

type FaqProps = { items: readonly { id?: string; question: string; answer: string }[]; order?: 2 | 3 }

/** Questions that open without a script. */
export function Faq({ items, order = 3 }: FaqProps) {
  const Heading = `h${order}` as const
  return (
    <div>
      {items.map(({ id, question, answer }) => (
        <details key={question} id={id} className={classes.item}>
          <summary className={classes.question}>
            <Heading className={classes.heading}>{question}</Heading>
          </summary>
          <p className={classes.answer}>{answer}</p>
        </details>
      ))}
    </div>
  )
}
