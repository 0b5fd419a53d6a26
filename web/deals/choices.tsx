import { type ComponentProps, type ComponentType, type ReactNode, useId, useState } from 'react'
import { useNewsInView } from '../ui/feedback/use-news-in-view.ts'
import { IconCheck, IconChevronRight, type IconProps } from '../ui/icons.tsx'
import classes from './choices.module.css'

type Choice<V extends string> = {
  value: V
  title: ReactNode
  /** What follows from it: "We ask wholesalers for an offer, usually within 3 hours." */
  consequence?: ReactNode
  icon?: ComponentType<IconProps>
  disabled?: boolean
}

type Shared<V extends string> = { legend: string; options: readonly Choice<V>[]; error?: ReactNode }
type ChoicesProps<V extends string> = Shared<V> & { value: V | null; onChange: (value: V) => void }
type CheckChoicesProps<V extends string> = Shared<V> & {
  values: readonly V[]
  onChange: (values: V[]) => void
}

type AnswersProps<V extends string> = Shared<V> & {
  /** The answer that was given before. */
  given: V | null
  onAnswer: (answer: V) => Promise<unknown>
  /** Shown on the chosen card until its answer has arrived. */
  working: string
}

/** One of a few answers, as large cards. Choosing one is the whole act, so each is a button: arrow keys must not answer. */
export function Answers<V extends string>({
  legend,
  given,
  options,
  error,
  working,
  onAnswer,
}: AnswersProps<V>) {
  // What could not be saved stays chosen.
  const [chosen, setChosen] = useState(given)
  const [isSending, setSending] = useState(false)
  const answer = (value: V) => {
    if (isSending) return
    setChosen(value)
    setSending(true)
    void onAnswer(value).finally(() => setSending(false))
  }
  return (
    <Group legend={legend} error={error} columns={options.length === 2}>
      {options.map((option) => (
        <AnswerCard
          key={option.value}
          option={option}
          isGiven={option.value === chosen}
          working={isSending && option.value === chosen ? working : null}
          onClick={() => answer(option.value)}
        />
      ))}
    </Group>
  )
}

/** One of a few answers, as large cards. */
export function Choices<V extends string>({ legend, value, options, error, onChange }: ChoicesProps<V>) {
  const name = useId()
  return (
    <Group legend={legend} error={error} columns={options.length === 2}>
      {options.map((option) => (
        <ChoiceCard
          key={option.value}
          option={option}
          type="radio"
          name={name}
          checked={option.value === value}
          onChange={() => onChange(option.value)}
        />
      ))}
    </Group>
  )
}

/** Any number of a few answers, as large cards. */
export function CheckChoices<V extends string>({
  legend,
  values,
  options,
  error,
  onChange,
}: CheckChoicesProps<V>) {
  const toggle = (value: V) =>
    onChange(values.includes(value) ? values.filter((other) => other !== value) : [...values, value])
  return (
    <Group legend={legend} error={error}>
      {options.map((option) => (
        <ChoiceCard
          key={option.value}
          option={option}
          type="checkbox"
          checked={values.includes(option.value)}
          onChange={() => toggle(option.value)}
        />
      ))}
    </Group>
  )
}

type GroupProps = { legend: string; error?: ReactNode; columns?: boolean; children: ReactNode }

function Group({ legend, error, columns, children }: GroupProps) {
  const errorId = useId()
  const sentence = useNewsInView<HTMLParagraphElement>()
  return (
    <fieldset className={classes.group} aria-describedby={error ? errorId : undefined}>
      <legend className={classes.legend}>{legend}</legend>
      <div className={classes.cards} data-columns={columns}>
        {children}
      </div>
      {error && (
        <p ref={sentence} className={classes.error} id={errorId} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

type AnswerCardProps<V extends string> = {
  option: Choice<V>
  isGiven: boolean
  working: string | null
  onClick: () => void
}

function AnswerCard<V extends string>({ option, isGiven, working, onClick }: AnswerCardProps<V>) {
  return (
    <button
      type="button"
      className={classes.card}
      disabled={option.disabled}
      aria-pressed={isGiven}
      aria-busy={working !== null || undefined}
      onClick={onClick}
    >
      <Words option={option} />
      <span className={classes.answer}>
        {working ??
          (isGiven ? <IconCheck size={20} stroke={2} /> : <IconChevronRight size={20} stroke={1.75} />)}
      </span>
    </button>
  )
}

type WordsProps = {
  option: Pick<Choice<string>, 'title' | 'consequence'>
  titleId?: string
  consequenceId?: string
}

function Words({ option, titleId, consequenceId }: WordsProps) {
  return (
    <span className={classes.words}>
      <span className={classes.title} id={titleId}>
        {option.title}
      </span>
      {option.consequence && (
        <span className={classes.consequence} id={consequenceId}>
          {option.consequence}
        </span>
      )}
    </span>
  )
}

type ChoiceCardProps<V extends string> = { option: Choice<V> } & ComponentProps<'input'>

function ChoiceCard<V extends string>({ option, ...input }: ChoiceCardProps<V>) {
  const consequenceId = useId()
  const titleId = useId()
  const Icon = option.icon
  return (
    <label className={classes.card} data-disabled={option.disabled}>
      <input
        {...input}
        className={classes.input}
        value={option.value}
        disabled={option.disabled}
        aria-labelledby={titleId}
        aria-describedby={option.consequence ? consequenceId : undefined}
      />
      <Words option={option} titleId={titleId} consequenceId={consequenceId} />
      {Icon && <Icon size={24} stroke={1.5} className={classes.icon} />}
    </label>
  )
}
