import { carName } from '@keyturn/contract/cars/rules.ts'
import { moveTrade, type Trade, type TradeWish } from '@keyturn/contract/trades/calls.ts'
import type { TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useAct } from '../../decide/act.ts'
import { Behind } from '../../decide/behind.tsx'
import { useSeen } from '../../decide/seen.ts'
import { StatusBadge } from '../../ui/deal/status-badge.tsx'
import { Vin } from '../../ui/deal/vin.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { Fold } from '../fold.tsx'
import { changesBetween, isSameState, newestOf, whyBehind } from '../seen-trade.ts'
import { TradeTimeline } from '../trade-timeline.tsx'
import { ownersTurn } from '../turns.ts'
import { type Answer, noAnswer, OwnerMoves } from './owner-moves.tsx'
import { bodies } from './trade-bodies.tsx'

const texts = tradeTexts.dialog

const titles: Record<TradeStatus, string> = {
  PENDING: texts.pendingTitle,
  OFFERED: texts.offeredTitle,
  OFFER: texts.counteredTitle,
  ACCEPTED: texts.acceptedTitle,
  REJECTED: texts.rejectedTitle,
}

type TradeDialogProps = {
  /** As it was when it was opened. */
  trade: Trade
  /** As it is now; undefined once it is gone. */
  present: Trade | undefined
  /** Shown with an accepted trade: where it can be used. */
  purchases: ReactNode
  onClose: () => void
}

/** A trade in its owner's eyes, by its status (R-trades-2). */
export function TradeDialog({ trade, present, purchases, onClose }: TradeDialogProps) {
  const [answer, setAnswer] = useState<Answer>(noAnswer)
  const move = useAct(moveTrade, {
    refresh: [['trades'], ['deals']],
    onDone: (moved) => {
      show(moved)
      setAnswer(noAnswer)
    },
  })
  const newest = present && newestOf(present, move.done)
  const { shown: seen = trade, show, catchUp, ...now } = useSeen(newest, isSameState, move.isUnanswered)
  const isBehind = now.isStale || now.isGone
  const place = useFocusOnTitle(seen.status)
  const showNow = () => {
    // A counter that was typed still answers an offer.
    setAnswer({ ...noAnswer, counter: newest?.status === seen.status ? answer.counter : null })
    catchUp()
    move.reset()
  }
  const wish = (wished: TradeWish) =>
    move.attempt({ params: { tradeId: seen._id }, body: { ...wished, version: seen.version } })
  const shared = { trade: seen, answer, onAnswer: setAnswer, onWish: wish, isWorking: move.isWorking }
  const Body = bodies[seen.status]
  return (
    <Dialog
      title={titles[seen.status]}
      onClose={onClose}
      busy={move.isWorking}
      trouble={news()}
      actions={
        isBehind ? (
          <Button variant="default" onClick={onClose}>
            {texts.close}
          </Button>
        ) : (
          <OwnerMoves {...shared} onClose={onClose} />
        )
      }
    >
      <div ref={place}>
        <Text fw={700}>{carName(seen)}</Text>
        <Group gap="xs" mt={4}>
          <Vin value={seen.vin} />
          <StatusBadge status={seen.status} label={tradeStatusLabels[seen.status].owner} />
        </Group>
      </div>
      <Body {...shared} purchases={purchases} isBehind={isBehind} />
      <Fold title={texts.history}>
        <TradeTimeline tradeId={seen._id} turn={ownersTurn(seen)} />
      </Fold>
    </Dialog>
  )

  function news(): ReactNode {
    if (now.isGone) return <Trouble>{tradeTexts.changed.gone}</Trouble>
    if (now.isStale && newest) {
      return (
        <Behind
          title={whyBehind(move.refusal)}
          changes={changesBetween(seen, newest, 'owner')}
          goOn={tradeTexts.changed.show}
          onGoOn={showNow}
        />
      )
    }
    return move.refusal && <Trouble>{move.refusal.message}</Trouble>
  }
}

/** The button that brought a new status about is gone with the old one: the title says what holds now. */
function useFocusOnTitle(status: TradeStatus) {
  const place = useRef<HTMLDivElement>(null)
  const last = useRef(status)
  useEffect(() => {
    if (last.current === status) return
    last.current = status
    place.current?.closest('[role="dialog"]')?.querySelector<HTMLElement>('h2[tabindex]')?.focus()
  }, [status])
  return place
}
