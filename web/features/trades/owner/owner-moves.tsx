import type { Trade, TradeMoveRequest } from '@keyturn/contract/trades/endpoints.ts'
import { possibleTradeMoves, type TradeMoveName } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FC } from 'react'
import { isOperatorQuery } from '../../../auth/is-administrator-query.ts'
import { WorkButton } from '../../../components/feedback/work-button.tsx'

const texts = tradeTexts.dialog

/** The answer that the owner is preparing; nothing has been sent yet. */
export type OwnerAnswer = {
  /** The text of the counter field; null while the field is not shown. */
  counter: string | null
  /**
   * The choice that the owner must confirm: to reject, where a counter is offered instead, or to
   * give up the counter (R-trades-10, R-trades-31).
   */
  asking: 'reject' | 'forfeit' | null
}
export const emptyAnswer: OwnerAnswer = { counter: null, asking: null }

export type OwnerAnswering = {
  trade: Trade
  answer: OwnerAnswer
  onAnswer: (answer: OwnerAnswer) => void
  onWish: (wish: TradeMoveRequest) => Promise<unknown>
}
type OwnerMovesProps = OwnerAnswering & { onClose: () => void }

/** Buttons for the moves that the server accepts from the owner, and from an administrator. */
export function OwnerMoves(props: OwnerMovesProps) {
  const { status, isPaused } = props.trade
  const isOperator = useIsOperatorPresent(possibleTradeMoves(status, 'ADMIN').length > 0)
  const open = [
    ...possibleTradeMoves(status, 'OWNER').filter(({ name }) => !isPaused || endsOffer(name)),
    ...(isOperator ? possibleTradeMoves(status, 'ADMIN') : []),
  ]
  const { asking } = props.answer
  if (asking === 'reject') return <RejectOrCounter {...props} />
  if (asking === 'forfeit') return <ForfeitOrKeep {...props} />
  return (
    <>
      {!open.some(({ name }) => name === 'accept') && (
        <Button variant="default" onClick={props.onClose}>
          {texts.close}
        </Button>
      )}
      {Object.entries(buttons)
        .filter(([move]) => open.some(({ name }) => name === move))
        .map(([move, Shown]) => Shown && <Shown key={move} {...props} />)}
    </>
  )
}

/** What stays possible while an account is suspended (R-accounts-64). */
const endsOffer = (move: TradeMoveName): boolean => move === 'reject' || move === 'forfeit'

/** Requested only where an administrator could make a move. */
const useIsOperatorPresent = (enabled: boolean): boolean =>
  useQuery({ ...isOperatorQuery, enabled }).data === true && enabled

function RejectOrCounter({ trade, onAnswer, onWish }: OwnerMovesProps) {
  return (
    <>
      <Button variant="subtle" onClick={() => onAnswer(emptyAnswer)}>
        {texts.back}
      </Button>
      {!trade.isPaused && (
        <Button variant="default" onClick={() => onAnswer({ counter: '', asking: null })}>
          {texts.counterOffer}
        </Button>
      )}
      <WorkButton color="brick" onClick={() => onWish({ status: 'REJECTED' })}>
        {texts.rejectOffer}
      </WorkButton>
    </>
  )
}

/**
 * A counter offer that was given up cannot be restored by the owner, so they must confirm
 * (R-trades-31).
 */
function ForfeitOrKeep({ onAnswer, onWish }: OwnerMovesProps) {
  return (
    <>
      <Button variant="default" onClick={() => onAnswer(emptyAnswer)}>
        {texts.keepCounter}
      </Button>
      <WorkButton color="brick" onClick={() => onWish({ status: 'REJECTED' })}>
        {texts.forfeit}
      </WorkButton>
    </>
  )
}

function Reject({ onAnswer }: OwnerMovesProps) {
  return (
    <Button variant="default" onClick={() => onAnswer({ counter: null, asking: 'reject' })}>
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
      onClick={() => onAnswer({ counter: isOpen ? null : '', asking: null })}
    >
      {texts.counterOffer}
    </Button>
  )
}

/** Disabled while a counter is entered, because that shows a different amount (R-trades-10). */
function Accept({ trade, answer, onWish }: OwnerMovesProps) {
  return (
    <WorkButton
      blockedBecause={Boolean(answer.counter?.trim()) && texts.counterFirst}
      working={texts.accepting}
      onClick={() => onWish({ status: 'ACCEPTED', price: trade.price })}
    >
      {texts.accept}
    </WorkButton>
  )
}

function Forfeit({ onAnswer }: OwnerMovesProps) {
  return (
    <Button variant="outline" color="brick" onClick={() => onAnswer({ counter: null, asking: 'forfeit' })}>
      {texts.forfeit}
    </Button>
  )
}

/** Shown to an owner who also has an administrator's session in this browser (R-trades-5). */
function Reset({ onWish }: OwnerMovesProps) {
  return <WorkButton onClick={() => onWish({ status: 'PENDING' })}>{texts.reset}</WorkButton>
}

/** The buttons in order, the primary one last. Moves of other parties are null. */
const buttons: Record<TradeMoveName, FC<OwnerMovesProps> | null> = {
  reject: Reject,
  counter: CounterOffer,
  forfeit: Forfeit,
  accept: Accept,
  offer: null,
  withdraw: null,
  reset: Reset,
  expire: null,
}
