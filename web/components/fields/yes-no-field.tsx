import { type ReactNode, useId } from 'react'
import { texts } from '../texts.ts'
import classes from './fields.module.css'

type YesNoFieldProps = {
  label: string
  description?: string
  value?: boolean | null
  onChange?: (value: boolean) => void
  onBlur?: () => void
  onFocus?: () => void
  error?: ReactNode
  'data-path'?: string
}

export function YesNoField(props: YesNoFieldProps) {
  const { label, description, value, error, onChange, onBlur, onFocus } = props
  const name = useId()
  const errorId = useId()
  const descriptionId = useId()
  const describedBy = [description && descriptionId, error && errorId].filter(Boolean).join(' ')
  return (
    <fieldset aria-describedby={describedBy || undefined}>
      <legend className={classes.legend}>{label}</legend>
      {description && (
        <p className={classes.description} id={descriptionId}>
          {description}
        </p>
      )}
      <div className={classes.answers}>
        {answers.map(({ means, word }, place) => (
          <label key={word} className={classes.answer}>
            <input
              type="radio"
              className={classes.mark}
              name={name}
              checked={value === means}
              onChange={() => onChange?.(means)}
              onBlur={onBlur}
              onFocus={onFocus}
              data-path={place === 0 ? props['data-path'] : undefined}
            />
            {word}
          </label>
        ))}
      </div>
      {error && (
        <p className={classes.error} id={errorId}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

const answers = [
  { means: true, word: texts.yes },
  { means: false, word: texts.no },
]
