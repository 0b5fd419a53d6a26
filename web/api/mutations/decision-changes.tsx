import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { ChangeList } from './change-list.tsx'
import type { Change } from './changes.ts'

type DecisionNewsProps = {
  decision: { isStale: boolean; changes: readonly Change[]; error: ApiError | null; goOn: () => void }
  over?: ReactNode
  failed?: UseQueryResult<unknown, ApiError> | null
  changed: string
  goOn: string
  /** Updates whatever depends on the current state, such as an untouched field. */
  onGoOn?: () => void
  /**
   * The error to show, if it differs from the decision's: a form shows part of it under its fields.
   */
  error?: ApiError | null
  children?: ReactNode
}

/**
 * Shows what prevents a decision, the most final obstacle first. Changes by others are shown with
 * their old and new values and must be accepted with a click, so that nobody decides on unseen
 * data.
 */
export function DecisionChanges(props: DecisionNewsProps) {
  const { decision, over, failed, changed, goOn, onGoOn, error = props.decision.error, children } = props
  if (over) return typeof over === 'string' ? <ErrorNotice>{over}</ErrorNotice> : over
  if (failed) return <ErrorNotice onRetry={() => failed.refetch()}>{failed.error?.message}</ErrorNotice>
  if (!decision.isStale)
    return children === undefined ? error && <ErrorNotice>{error.message}</ErrorNotice> : children
  return (
    <ErrorNotice
      title={changed}
      action={
        <Button
          variant="default"
          onClick={({ currentTarget }) => {
            focusAround(currentTarget)
            onGoOn?.()
            decision.goOn()
          }}
        >
          {goOn}
        </Button>
      }
    >
      <ChangeList changes={decision.changes} />
    </ErrorNotice>
  )
}

/** Moves the focus to the start of the decision, because the clicked button disappears. */
function focusAround(button: HTMLElement) {
  const around = button.closest('[role="dialog"]') ?? button.closest('form')
  const places = ['[data-autofocus]', 'h2[tabindex]', 'input']
  const place = places.map((each) => around?.querySelector<HTMLElement>(each)).find((found) => found)
  place?.focus({ preventScroll: true })
}
