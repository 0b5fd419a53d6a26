import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { WorkButton } from './work-button.tsx'

type FormActionsProps = {
  children: ReactNode
  cancel?: string
  onCancel: () => void
  busy: boolean
  working?: string
  danger?: boolean
  disabled?: boolean
}

/** The two buttons of a form: cancel without changes, and submit. */
export function FormActions(props: FormActionsProps) {
  const { children, cancel = texts.cancel, onCancel, busy, working, danger, disabled } = props
  return (
    <>
      <Button variant="default" disabled={busy} onClick={onCancel}>
        {cancel}
      </Button>
      <WorkButton
        type="submit"
        color={danger ? 'brick' : undefined}
        busy={busy}
        working={working}
        disabled={disabled}
      >
        {children}
      </WorkButton>
    </>
  )
}
