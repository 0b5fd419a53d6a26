import { type Cents, formatUsd, inDollars } from '@keyturn/contract/kit/money.ts'
import { moveTrade, type Trade, trade as tradeShape } from '@keyturn/contract/trades/calls.ts'
import { typedAmount, waitsForOffer } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Button, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useAct } from '../../decide/act.ts'
import { Behind } from '../../decide/behind.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { WorkButton } from '../../ui/feedback/work-button.tsx'
import { AmountField } from '../amount-field.tsx'
import { changesBetween, newestOf, whyBehind } from '../seen-trade.ts'
import { OfferPreview } from './offer-preview.tsx'
import { RequestFacts } from './request-facts.tsx'

const texts = tradeTexts.wholesaler

type OfferDialogProps = {
  trade: Trade
  /** As the list has it now; a filter may have taken it out. */
  present: Trade | undefined
  /** What came of the request before this one. */
  news: string | null
  onSent: (amount: Cents) => void
  /** On to another one without an offer; undefined when none is left. */
  onSkip?: () => void
  onClose: () => void
}

/** Submit Trade-In Offer. It stays while one request follows the other; each begins with an empty field. */
export function OfferDialog({ trade, present, news, onSent, onSkip, onClose }: OfferDialogProps) {
  const [draft, setDraft] = useState(() => draftFor(trade))
  if (draft.seen._id !== trade._id) setDraft(draftFor(trade))
  const { seen, text } = draft
  const amount = typedAmount(text)
  const offer = useAct(moveTrade, { refresh: [['trades'], ['deals']] })
  const newest = newestOf(seen, present, refusedWith(offer.refusal?.current))
  const isBehind = newest !== seen && !offer.isUnanswered
  const place = useFocusOnField(seen._id)

  const catchUp = () => {
    offer.reset()
    setDraft({ seen: newest, text })
  }
  const skip = () => {
    offer.reset()
    onSkip?.()
  }
  const submit = async () => {
    if (amount === null || isBehind || !waitsForOffer(seen.status)) return
    const body = { status: 'OFFERED', price: amount, version: seen.version } as const
    if (await offer.attempt({ params: { tradeId: seen._id }, body })) onSent(amount)
  }
  const cannotOffer = !waitsForOffer(seen.status)

  return (
    <Dialog
      title={texts.offerTitle}
      onClose={onClose}
      onSubmit={submit}
      busy={offer.isWorking}
      focusInside
      trouble={trouble()}
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
            disabled={amount === null || cannotOffer || isBehind}
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
      {cannotOffer && !isBehind ? (
        <Notice kind="info">{texts.noLongerOpen}</Notice>
      ) : (
        <>
          <Stack gap="xs" ref={place}>
            <AmountField
              label={texts.offerLabel}
              description={texts.offerHint}
              data-autofocus
              value={text}
              onChange={(typed) => setDraft({ seen, text: typed })}
            />
            {seen.status === 'OFFER' && seen.price !== null && (
              <MatchCounter
                counter={seen.price}
                onMatch={(counter) => setDraft({ seen, text: String(inDollars(counter)) })}
              />
            )}
          </Stack>
          <OfferPreview amount={amount} zipCode={seen.zipCode} />
        </>
      )}
    </Dialog>
  )

  function trouble(): ReactNode {
    if (isBehind) {
      return (
        <Behind
          title={whyBehind(offer.refusal)}
          changes={changesBetween(seen, newest, 'wholesaler')}
          goOn={tradeTexts.changed.show}
          onGoOn={catchUp}
        />
      )
    }
    return offer.refusal && <Trouble>{offer.refusal.message}</Trouble>
  }
}

/** The same amount again, to be accepted by the owner in turn (R-trades-3). */
function MatchCounter({ counter, onMatch }: { counter: Cents; onMatch: (counter: Cents) => void }) {
  return (
    <Button variant="light" size="sm" onClick={() => onMatch(counter)} style={{ alignSelf: 'start' }}>
      {texts.matchCounter} ({formatUsd(counter)})
    </Button>
  )
}

type Draft = { seen: Trade; text: string }
const draftFor = (trade: Trade): Draft => ({ seen: trade, text: '' })

/** As a refusal told it. */
function refusedWith(current: unknown): Trade | undefined {
  const told = tradeShape.safeDecode(current as never)
  return told.success ? told.data : undefined
}

/** The next request begins where the last one ended: in the amount. */
function useFocusOnField(id: string) {
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another request is what counts
  useEffect(() => place.current?.querySelector('input')?.focus(), [id])
  return place
}
