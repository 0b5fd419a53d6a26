import type { Trade, TradeWish } from '@keyturn/contract/trades/calls.ts'
import { movesOpen, type TradeMoveName } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Button } from '@mantine/core'
import type { FC } from 'react'
import { WorkButton } from '../../ui/feedback/work-button.tsx'

const texts = tradeTexts.dialog

/** The owner's answer while it is being prepared; nothing is sent yet. */
export type Answer = {
  /** The counter field's text; null while there is no field. */
  counter: string | null
  /** Reject was chosen, and the owner is asked whether to counter instead (R-trades-10). */
  isRejecting: boolean
}
export const noAnswer: Answer = { counter: null, isRejecting: false }

/** The trade, the answer being prepared, and the action that sends it. */
export type OwnerAnswering = {
  trade: Trade
  answer: Answer
  onAnswer: (answer: Answer) => void
  onWish: (wish: TradeWish) => Promise<unknown>
}
type OwnerMovesProps = OwnerAnswering & { onClose: () => void }

/** The buttons under a trade: exactly the moves that the server accepts from its owner. */
export function OwnerMoves(props: OwnerMovesProps) {
  const open = movesOpen(props.trade.status, 'OWNER').map(({ name }) => name)
  if (open.length === 0) {
    return (
      <Button variant="default" onClick={props.onClose}>
        {texts.close}
      </Button>
    )
  }
  if (props.answer.isRejecting) return <RejectOrCounter {...props} />
  return Object.entries(buttons)
    .filter(([move]) => open.some((name) => name === move))
    .map(([move, Shown]) => Shown && <Shown key={move} {...props} />)
}

/** Reject first asks whether to reject or to counter. */
function RejectOrCounter({ onAnswer, onWish }: OwnerMovesProps) {
  return (
    <>
      <Button variant="subtle" onClick={() => onAnswer(noAnswer)}>
        {texts.back}
      </Button>
      <Button variant="default" onClick={() => onAnswer({ counter: '', isRejecting: false })}>
        {texts.counterOffer}
      </Button>
      <WorkButton color="brick" onClick={() => onWish({ status: 'REJECTED' })}>
        {texts.rejectOffer}
      </WorkButton>
    </>
  )
}

function Reject({ onAnswer }: OwnerMovesProps) {
  return (
    <Button variant="default" onClick={() => onAnswer({ counter: null, isRejecting: true })}>
      {texts.reject}
    </Button>
  )
}

function CounterOffer({ answer, onAnswer }: OwnerMovesProps) {
  const isOpen = answer.counter !== null
  return (
    <Button
      variant="default"
      aria-expanded={isOpen}
      onClick={() => onAnswer({ counter: isOpen ? null : '', isRejecting: false })}
    >
      {texts.counterOffer}
    </Button>
  )
}

/** Disabled while a counter is entered, so that nobody accepts one amount with another on the screen (R-trades-10). */
function Accept({ trade, answer, onWish }: OwnerMovesProps) {
  return (
    <WorkButton
      disabled={Boolean(answer.counter?.trim())}
      working={texts.accepting}
      onClick={() => onWish({ status: 'ACCEPTED', price: trade.price })}
    >
      {texts.accept}
    </WorkButton>
  )
}

function Forfeit({ onWish }: OwnerMovesProps) {
  return (
    <WorkButton variant="outline" color="brick" onClick={() => onWish({ status: 'REJECTED' })}>
      {texts.forfeit}
    </WorkButton>
  )
}

/** In this order, the primary one last; null where the move is not the owner's. */
const buttons: Record<TradeMoveName, FC<OwnerMovesProps> | null> = {
  reject: Reject,
  counter: CounterOffer,
  forfeit: Forfeit,
  accept: Accept,
  offer: null,
  reset: null,
  expire: null,
}
