import type { Trade, TradeWish } from '@keyturn/contract/trades/endpoints.ts'
import { openTradeMoves, type TradeMoveName } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FC } from 'react'
import { isAdministratorQuery } from '../../../auth/is-administrator-query.ts'
import { WorkButton } from '../../../components/feedback/work-button.tsx'

const texts = tradeTexts.dialog

/** The owner's answer while it is being prepared; nothing is sent yet. */
export type Answer = {
  /** The counter field's text; null while there is no field. */
  counter: string | null
  /** The choice to confirm: counter instead, or give up (R-trades-10, R-trades-31). */
  asking: 'reject' | 'forfeit' | null
}
export const noAnswer: Answer = { counter: null, asking: null }

export type OwnerAnswering = {
  trade: Trade
  answer: Answer
  onAnswer: (answer: Answer) => void
  onWish: (wish: TradeWish) => Promise<unknown>
}
type OwnerMovesProps = OwnerAnswering & { onClose: () => void }

/** The moves that the server accepts from the owner, and from an administrator. */
export function OwnerMoves(props: OwnerMovesProps) {
  const { status } = props.trade
  const isAdministrator = useIsAdministrator(openTradeMoves(status, 'ADMIN').length > 0)
  const open = [
    ...openTradeMoves(status, 'OWNER'),
    ...(isAdministrator ? openTradeMoves(status, 'ADMIN') : []),
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

/** Checked only where an administrator could act. */
const useIsAdministrator = (enabled: boolean): boolean =>
  useQuery({ ...isAdministratorQuery, enabled }).data === true && enabled

function RejectOrCounter({ onAnswer, onWish }: OwnerMovesProps) {
  return (
    <>
      <Button variant="subtle" onClick={() => onAnswer(noAnswer)}>
        {texts.back}
      </Button>
      <Button variant="default" onClick={() => onAnswer({ counter: '', asking: null })}>
        {texts.counterOffer}
      </Button>
      <WorkButton color="brick" onClick={() => onWish({ status: 'REJECTED' })}>
        {texts.rejectOffer}
      </WorkButton>
    </>
  )
}

/** A counter offer cannot be taken back, so the owner must confirm (R-trades-31). */
function ForfeitOrKeep({ onAnswer, onWish }: OwnerMovesProps) {
  return (
    <>
      <Button variant="default" onClick={() => onAnswer(noAnswer)}>
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

/** Disabled while a counter is entered, which would show another amount (R-trades-10). */
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

function Forfeit({ onAnswer }: OwnerMovesProps) {
  return (
    <Button variant="outline" color="brick" onClick={() => onAnswer({ counter: null, asking: 'forfeit' })}>
      {texts.forfeit}
    </Button>
  )
}

/** For an owner who also has an administrator's session in this browser (R-trades-5). */
function Reset({ onWish }: OwnerMovesProps) {
  return <WorkButton onClick={() => onWish({ status: 'PENDING' })}>{texts.reset}</WorkButton>
}

/** Button order, the primary one last; null for moves of other parties. */
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
