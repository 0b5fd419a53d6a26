import { normalizeVin } from '@keyturn/contract/shared/vin.ts'
import type { TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './fields.module.css'
import { TextField } from './text-field.tsx'

type VinFieldProps = Omit<TextInputProps, 'label' | 'onChange' | 'value'> & {
  label: string
  optional?: boolean
  value?: string
  onChange?: (value: string) => void
  action?: ReactNode
  /** A warning that does not block, such as a wrong check digit. */
  note?: ReactNode
}

/** Converts typed and pasted text to upper case and drops spaces. */
export function VinField({ onChange, action, note, ...rest }: VinFieldProps) {
  return (
    <div className={action ? classes.withAction : undefined}>
      <div>
        <TextField
          autoCapitalize="characters"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          {...rest}
          classNames={{ input: classes.vin }}
          onChange={(event) => onChange?.(normalizeVin(event.currentTarget.value))}
        />
        {note && (
          <p className={classes.note} role="status">
            {note}
          </p>
        )}
      </div>
      {action && <div className={classes.actions}>{action}</div>}
    </div>
  )
}
