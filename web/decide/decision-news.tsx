import type { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Trouble } from '../ui/feedback/trouble.tsx'
import { ChangeList } from './change-list.tsx'
import type { Change } from './changes.ts'

type DecisionNewsProps = {
  of: { isStale: boolean; changes: readonly Change[]; refusal: Refusal | null; goOn: () => void }
  /** Why there is nothing left to decide. */
  over?: ReactNode
  /** What has to be read first, where it could not be. */
  failed?: UseQueryResult<unknown, Refusal> | null
  /** The title above what others have changed. */
  changed: string
  /** The button that goes on with it. */
  goOn: string
  /** What follows the new state, as a field that nobody has typed into. */
  onGoOn?: () => void
  /** Why it was not done, where a form has put part of that under its fields. */
  refusal?: Refusal | null
  /** Said in place of the refusal, also where it is nothing. */
  children?: ReactNode
}

/**
 * What stands in a decision's way, the most final first. What others have changed meanwhile is told old and new, and
 * takes a click to go on with: nothing is decided unseen.
 */
export function DecisionNews({
  of,
  over,
  failed,
  changed,
  goOn,
  onGoOn,
  refusal = of.refusal,
  children,
}: DecisionNewsProps) {
  if (over) return typeof over === 'string' ? <Trouble>{over}</Trouble> : over
  if (failed) return <Trouble onRetry={() => failed.refetch()}>{failed.error?.message}</Trouble>
  if (!of.isStale) return children === undefined ? refusal && <Trouble>{refusal.message}</Trouble> : children
  return (
    <Trouble
      title={changed}
      action={
        <Button
          variant="default"
          onClick={({ currentTarget }) => {
            focusAround(currentTarget)
            onGoOn?.()
            of.goOn()
          }}
        >
          {goOn}
        </Button>
      }
    >
      <ChangeList changes={of.changes} />
    </Trouble>
  )
}

/** The button goes with what it answers: the focus returns to where the decision begins. */
function focusAround(button: HTMLElement) {
  const around = button.closest('[role="dialog"]') ?? button.closest('form')
  const places = ['[data-autofocus]', 'h2[tabindex]', 'input']
  const place = places.map((each) => around?.querySelector<HTMLElement>(each)).find((found) => found)
  place?.focus({ preventScroll: true })
}
