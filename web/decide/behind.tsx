import { Button } from '@mantine/core'
import { Trouble } from '../ui/feedback/trouble.tsx'
import { ChangeList } from './change-list.tsx'
import type { Change } from './changes.ts'

type BehindProps = {
  title: string
  changes: readonly Change[]
  goOn: string
  onGoOn: () => void
}

/** What others have changed meanwhile, old and new. It takes a click to go on with it: nothing is decided unseen. */
export function Behind({ title, changes, goOn, onGoOn }: BehindProps) {
  return (
    <Trouble
      title={title}
      action={
        <Button
          variant="default"
          onClick={({ currentTarget }) => {
            focusAround(currentTarget)
            onGoOn()
          }}
        >
          {goOn}
        </Button>
      }
    >
      <ChangeList changes={changes} />
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
