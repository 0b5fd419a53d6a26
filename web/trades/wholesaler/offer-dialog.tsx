import { type Cents, formatUsd, inDollars } from '@keyturn/contract/kit/money.ts'
import { moveTrade, type Trade, trade as tradeShape } from '@keyturn/contract/trades/calls.ts'
import { typedAmount, waitsForOffer } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Button, Stack } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useAct } from '../../decide/act.ts'
import { DecisionNews } from '../../decide/decision-news.tsx'
import { useDecision } from '../../decide/use-decision.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { WorkButton } from '../../ui/feedback/work-button.tsx'
import { AmountField } from '../amount-field.tsx'
import { isSameState, newestOf, newsForWholesaler, whyChanged } from '../seen-trade.ts'
import { OfferPreview } from './offer-preview.tsx'
import { RequestFacts } from './request-facts.tsx'

const texts = tradeTexts.wholesaler

type OfferDialogProps = {
  trade: Trade
  /** As the list has it now; a filter may have taken it out. */
  present: Trade | undefined
  /** The result of the previous request. */
  news: string | null
  onSent: (amount: Cents) => void
  /** Goes on to another request without making an offer; undefined if none is left. */
  onSkip?: () => void
  onClose: () => void
}

/** Submit Trade-In Offer. It stays open from one request to the next; each begins with an empty field. */
export function OfferDialog({ trade, present, news, onSent, onSkip, onClose }: OfferDialogProps) {
  const [text, setText] = useState('')
  const amount = typedAmount(text)
  const offer = useAct(moveTrade, { refresh: [['trades'], ['deals']] })
  const decision = useDecision({
    by: offer,
    present: useNewest(trade, present, refusedWith(offer.refusal?.current)),
    newsOf: newsForWholesaler,
    isSame: isSameState,
    // Once the offer is answered, the next request replaces this one.
    isOwn: offer.isUnanswered,
  })
  const { read: seen, isStale } = decision
  if (seen._id !== trade._id) {
    decision.show(trade)
    setText('')
  }
  const cannotOffer = !waitsForOffer(seen.status)
  const place = useFocusOnField(seen._id)

  const skip = () => {
    offer.reset()
    onSkip?.()
  }
  const submit = async () => {
    if (amount === null || cannotOffer) return
    const sent = await decision.attempt(({ _id, version }) => ({
      params: { tradeId: _id },
      body: { status: 'OFFERED', price: amount, version },
    }))
    if (sent) onSent(amount)
  }

  return (
    <Dialog
      title={texts.offerTitle}
      onClose={onClose}
      onSubmit={submit}
      busy={offer.isWorking}
      focusInside
      trouble={
        <DecisionNews of={decision} changed={whyChanged(decision.refusal)} goOn={tradeTexts.changed.show} />
      }
      actions={
        <>
          <Button variant="subtle" onClick={onClose} disabled={offer.isWorking}>
            {texts.cancel}
          </Button>
          {onSkip && (
            <Button variant="default" onClick={skip} disabled={offer.isWorking}>
              {texts.skip}
            </Button>
          )}
          <WorkButton
            type="submit"
            disabled={amount === null || cannotOffer || isStale}
            busy={offer.isWorking}
            working={texts.submitting}
          >
            {texts.submit}
          </WorkButton>
        </>
      }
    >
      {news && <Notice kind="good">{news}</Notice>}
      <RequestFacts trade={seen} />
      {cannotOffer && !isStale ? (
        <Notice kind="info">{texts.noLongerOpen}</Notice>
      ) : (
        <>
          <Stack gap="xs" ref={place}>
            <AmountField
              label={texts.offerLabel}
              description={texts.offerHint}
              data-autofocus
              value={text}
              onChange={setText}
            />
            {seen.status === 'OFFER' && seen.price !== null && (
              <MatchCounter counter={seen.price} onMatch={(counter) => setText(String(inDollars(counter)))} />
            )}
          </Stack>
          <OfferPreview amount={amount} zipCode={seen.zipCode} />
        </>
      )}
    </Dialog>
  )
}

/** Offers the countered amount, which the owner then still has to accept (R-trades-3). */
function MatchCounter({ counter, onMatch }: { counter: Cents; onMatch: (counter: Cents) => void }) {
  return (
    <Button variant="light" size="sm" onClick={() => onMatch(counter)} style={{ alignSelf: 'start' }}>
      {texts.matchCounter} ({formatUsd(counter)})
    </Button>
  )
}

/** The newest state of a request that this dialog has received, even if a filter has removed it from the list since. */
function useNewest(trade: Trade, ...heard: readonly (Trade | undefined)[]): Trade {
  const [known, setKnown] = useState(trade)
  const newest = newestOf(known._id === trade._id ? known : trade, ...heard)
  if (newest !== known) setKnown(newest)
  return newest
}

/** The trade as a refusal reported it. */
function refusedWith(current: unknown): Trade | undefined {
  const told = tradeShape.safeDecode(current as never)
  return told.success ? told.data : undefined
}

/** For each new request the focus returns to the amount. */
function useFocusOnField(id: string) {
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another request is what counts
  useEffect(() => place.current?.querySelector('input')?.focus(), [id])
  return place
}
