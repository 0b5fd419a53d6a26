import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { IconCheck, IconChevronRight } from '../../components/icons.tsx'
import classes from './choice-cards.module.css'

type Choice<V extends string> = {
  value: V
  title: ReactNode
  /** For example "We ask wholesalers for an offer, which usually comes within 3 hours." */
  consequence?: ReactNode
}
type Shared<V extends string> = { legend: string; options: readonly Choice<V>[] }

type AnswerCardsProps<V extends string> = Shared<V> & {
  given: V | null
  onAnswer: (answer: V) => Promise<unknown>
  /** Shown on the chosen card while the answer is being saved. */
  working: string
}

/**
 * Answers as large cards. They are buttons and not radio inputs, because an arrow key must not
 * answer the question.
 */
export function AnswerCards<V extends string>({
  legend,
  given,
  options,
  working,
  onAnswer,
}: AnswerCardsProps<V>) {
  // An answer that could not be saved stays chosen.
  const [chosen, setChosen] = useState(given)
  const [isSending, setSending] = useState(false)
  const answer = (value: V) => {
    if (isSending) return
    setChosen(value)
    setSending(true)
    void onAnswer(value).finally(() => setSending(false))
  }
  return (
    <CardGroup legend={legend} columns>
      {options.map((option) => {
        const isGiven = option.value === chosen
        const isSaving = isSending && isGiven
        const icon = isGiven ? (
          <IconCheck size={20} stroke={2} />
        ) : (
          <IconChevronRight size={20} stroke={1.75} />
        )
        return (
          <button
            key={option.value}
            type="button"
            className={classes.card}
            aria-pressed={isGiven}
            aria-busy={isSaving || undefined}
            onClick={() => answer(option.value)}
          >
            <CardText option={option} />
            <span className={classes.answer}>{isSaving ? working : icon}</span>
          </button>
        )
      })}
    </CardGroup>
  )
}

type CheckboxCardsProps<V extends string> = Shared<V> & {
  values: readonly V[]
  onChange: (values: V[]) => void
}

export function CheckboxCards<V extends string>({
  legend,
  values,
  options,
  onChange,
}: CheckboxCardsProps<V>) {
  const toggle = (value: V) =>
    onChange(values.includes(value) ? values.filter((other) => other !== value) : [...values, value])
  return (
    <CardGroup legend={legend}>
      {options.map((option) => (
        <ChoiceCard
          key={option.value}
          option={option}
          type="checkbox"
          checked={values.includes(option.value)}
          onChange={() => toggle(option.value)}
        />
      ))}
    </CardGroup>
  )
}

const CardGroup = ({
  legend,
  columns,
  children,
}: {
  legend: string
  columns?: boolean
  children: ReactNode
}) => (
  <fieldset className={classes.group}>
    <legend className={classes.legend}>{legend}</legend>
    <div className={classes.cards} data-columns={columns}>
      {children}
    </div>
  </fieldset>
)

type CardTextProps = { option: Choice<string>; titleId?: string; consequenceId?: string }

const CardText = ({ option: { title, consequence }, titleId, consequenceId }: CardTextProps) => (
  <span className={classes.words}>
    <span className={classes.title} id={titleId}>
      {title}
    </span>
    {consequence && (
      <span className={classes.consequence} id={consequenceId}>
        {consequence}
      </span>
    )}
  </span>
)

function ChoiceCard({ option, ...input }: { option: Choice<string> } & ComponentProps<'input'>) {
  const consequenceId = useId()
  const titleId = useId()
  return (
    <label className={classes.card}>
      <input
        {...input}
        className={classes.input}
        value={option.value}
        aria-labelledby={titleId}
        aria-describedby={option.consequence ? consequenceId : undefined}
      />
      <CardText option={option} titleId={titleId} consequenceId={consequenceId} />
    </label>
  )
}
