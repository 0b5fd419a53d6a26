import { IconCircleArrowRight, IconHourglass } from '../icons.tsx'
import classes from './turn.module.css'

export type TurnState = { text: string; mine: boolean }

/** Shows whose turn it is. The person's own turn is marked in amber. */
export function Turn({ text, mine }: TurnState) {
  const Icon = mine ? IconCircleArrowRight : IconHourglass
  return (
    <p className={classes.turn} data-turn={mine ? 'mine' : 'theirs'}>
      <Icon size={18} stroke={1.75} />
      {text}
    </p>
  )
}
