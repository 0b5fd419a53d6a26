import { type ReactNode, useId } from 'react'
import { texts } from '../texts.ts'
import classes from './fields.module.css'

type YesNoFieldProps = {
  label: string
  value?: boolean | null
  onChange?: (value: boolean) => void
  onBlur?: () => void
  onFocus?: () => void
  error?: ReactNode
  disabled?: boolean
  'data-path'?: string
}

export function YesNoField(props: YesNoFieldProps) {
  const { label, value, error, disabled, onChange, onBlur, onFocus } = props
  const name = useId()
  const errorId = useId()
  return (
    <fieldset aria-describedby={error ? errorId : undefined} disabled={disabled}>
      <legend className={classes.legend}>{label}</legend>
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
