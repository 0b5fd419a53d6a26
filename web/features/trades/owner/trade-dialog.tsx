import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { moveTrade, type Trade, type TradeMoveRequest } from '@keyturn/contract/trades/endpoints.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Button, Group, Text } from '@mantine/core'
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { DecisionChanges } from '../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { Collapsible } from '../../../components/display/collapsible.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { Vin } from '../../../components/display/vin.tsx'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { conflictReason, findChangesForOwner, isSameState, newestTrade } from '../trade-changes.ts'
import { TradeTimeline } from '../trade-timeline.tsx'
import { ownerTurn } from '../trade-turns.ts'
import { emptyAnswer, type OwnerAnswer, OwnerMoves } from './owner-moves.tsx'
import { tradeBodies, wasForfeited } from './trade-bodies.tsx'
import { TradeLoan } from './trade-loan.tsx'

const texts = tradeTexts.dialog
const pausedTexts = suspensionTexts.paused

type TradeDialogProps = {
  /** The trade at the time when the dialog was opened. */
  trade: Trade
  /** Undefined once the trade has been deleted. */
  current: Trade | undefined
  purchases?: ReactNode
  LoanWarning: ComponentType<{ trade: Trade }>
  onClose: () => void
}

/** A trade as its owner sees it, depending on its status (R-trades-2). */
export function TradeDialog({ trade, current, purchases, LoanWarning, onClose }: TradeDialogProps) {
  const [answer, setAnswer] = useState<OwnerAnswer>(emptyAnswer)
  const move = useEndpointMutation(moveTrade, {
    refresh: [['trades'], ['deals']],
    onDone: (moved) => {
      decision.show(moved)
      setAnswer(emptyAnswer)
    },
  })
  const newest = current && newestTrade(current, move.done)
  const decision = useDecision({
    by: move,
    current: newest,
    newsOf: findChangesForOwner,
    isSame: isSameState,
    // The dialog stays open and shows the result of its own move.
    isOwn: move.isUnanswered,
  })
  const { read: seen = trade, isGone, mayDecide } = decision
  const place = useFocusOnTitle(seen.status)
  // A typed counter is still a valid answer to an offer.
  const keepCounter = () =>
    setAnswer({ ...emptyAnswer, counter: newest?.status === seen.status ? answer.counter : null })
  const wish = (wished: TradeMoveRequest) =>
    decision.attempt(({ _id, version }) => ({ params: { tradeId: _id }, body: { ...wished, version } }))
  const shared = { trade: seen, answer, onAnswer: setAnswer, onWish: wish, isWorking: move.isWorking }
  const Body = tradeBodies[seen.status]
  return (
    <Dialog
      title={wasForfeited(seen) ? texts.forfeitedTitle : texts.titles[seen.status]}
      onClose={onClose}
      busy={move.isWorking}
      trouble={
        <DecisionChanges
          decision={decision}
          over={isGone && tradeTexts.changed.gone}
          changed={conflictReason(decision.error)}
          goOn={tradeTexts.changed.show}
          onGoOn={keepCounter}
        />
      }
      actions={
        mayDecide ? (
          <OwnerMoves {...shared} onClose={onClose} />
        ) : (
          <Button variant="default" onClick={onClose}>
            {texts.close}
          </Button>
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
      {seen.isPaused && (
        <Notice kind="waiting">{pausedTexts[seen.status === 'OFFER' ? 'counter' : 'offer']}</Notice>
      )}
      <Body {...shared} purchases={purchases} mayDecide={mayDecide} />
      <TradeLoan trade={seen} Warning={LoanWarning} onSaved={decision.show} />
      <Collapsible title={texts.history}>
        <TradeTimeline tradeId={seen._id} turn={ownerTurn(seen)} />
      </Collapsible>
    </Dialog>
  )
}

/** A new status removes the focused button, so the title gets the focus. It names the status. */
function useFocusOnTitle(status: Trade['status']) {
  const place = useRef<HTMLDivElement>(null)
  const last = useRef(status)
  useEffect(() => {
    if (last.current === status) return
    last.current = status
    place.current?.closest('[role="dialog"]')?.querySelector<HTMLElement>('h2[tabindex]')?.focus()
  }, [status])
  return place
}
