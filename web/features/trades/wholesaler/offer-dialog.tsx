import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import {
  type Cents,
  cents,
  centsToDollars,
  formatUsd,
  formatUsdExact,
} from '@keyturn/contract/shared/money.ts'
import { explainCredit, formatTaxRate } from '@keyturn/contract/trades/credit-explanation.ts'
import { moveTrade, type Trade, trade as tradeShape } from '@keyturn/contract/trades/endpoints.ts'
import { parseAmount, takesOffer } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { DecisionChanges } from '../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { PhotoStrip } from '../../../components/display/photo-strip.tsx'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { FactTable } from '../../../components/lists/fact-table.tsx'
import { AmountField, amountBlockedReason } from '../amount-field.tsx'
import { taxRateQuery } from '../queries.ts'
import { TaxNote } from '../tax-note.tsx'
import { conflictReason, findChangesForWholesaler, isSameState, newestTrade } from '../trade-changes.ts'
import { CarLines } from './car-lines.tsx'
import { offerOrigin } from './offer-origin.ts'

const taxTexts = tradeTexts.tax
const { fields } = tradeTexts.wholesaler
const texts = tradeTexts.wholesaler

/** The offer that was sent just before. */
export type OfferNews = { sentence: string; sent: Trade }

type OfferDialogProps = {
  trade: Trade
  /** The current row of the list; undefined if a filter has removed it. */
  current: Trade | undefined
  news: OfferNews | undefined
  onSent: (trade: Trade) => void
  onWithdraw: (trade: Trade) => void
  /** Goes on to another trade without making an offer; undefined if none is left. */
  onSkip?: () => void
  onClose: () => void
}

/** Stays open from one trade to the next; each begins with an empty field. */
export function OfferDialog(props: OfferDialogProps) {
  const { trade, current, news, onSent, onWithdraw, onSkip, onClose } = props
  const [text, setText] = useState('')
  const amount = parseAmount(text)
  const offer = useEndpointMutation(moveTrade, { refresh: [['trades'], ['deals']] })
  const decision = useDecision({
    by: offer,
    current: useNewest(trade, current, currentTradeIn(offer.error?.current)),
    newsOf: findChangesForWholesaler,
    isSame: isSameState,
    // Once the server has responded, the next trade replaces this one.
    isOwn: offer.isUnanswered,
  })
  const { read: seen, isStale } = decision
  if (seen._id !== trade._id) {
    decision.show(trade)
    setText('')
  }
  const cannotOffer = !takesOffer(seen)
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
    if (sent) onSent(sent)
  }

  return (
    <Dialog
      title={texts.offerTitle}
      onClose={onClose}
      onSubmit={submit}
      busy={offer.isWorking}
      focusInside
      trouble={
        <DecisionChanges
          decision={decision}
          changed={conflictReason(decision.error)}
          goOn={tradeTexts.changed.show}
        />
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
            disabled={cannotOffer || isStale}
            blockedBecause={amountBlockedReason(text)}
            busy={offer.isWorking}
            working={texts.submitting}
          >
            {texts.submit}
          </WorkButton>
        </>
      }
    >
      {news && (
        <Notice
          kind="good"
          action={
            news.sent.withdrawableUntil && (
              <Button variant="default" size="sm" onClick={() => onWithdraw(news.sent)}>
                {texts.withdrawLast}
              </Button>
            )
          }
        >
          {news.sentence}
        </Notice>
      )}
      <TradeFacts trade={seen} />
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
              <MatchCounter
                counter={seen.price}
                onMatch={(counter) => setText(String(centsToDollars(counter)))}
              />
            )}
          </Stack>
          <OfferPreview amount={amount} trade={seen} />
        </>
      )}
    </Dialog>
  )
}

/** Offers the counter's amount, which the owner still has to accept (R-trades-3). */
function MatchCounter({ counter, onMatch }: { counter: Cents; onMatch: (counter: Cents) => void }) {
  return (
    <Button variant="light" size="sm" onClick={() => onMatch(counter)} style={{ alignSelf: 'start' }}>
      {texts.matchCounter} ({formatUsd(counter)})
    </Button>
  )
}

/** Returns the newest version of a trade, even if a filter has removed it from the list. */
function useNewest(trade: Trade, ...received: readonly (Trade | undefined)[]): Trade {
  const [known, setKnown] = useState(trade)
  const newest = newestTrade(known._id === trade._id ? known : trade, ...received)
  if (newest !== known) setKnown(newest)
  return newest
}

function currentTradeIn(current: unknown): Trade | undefined {
  const decoded = tradeShape.safeDecode(current as never)
  return decoded.success ? decoded.data : undefined
}

function useFocusOnField(id: string) {
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another trade is what counts
  useEffect(() => place.current?.querySelector('input')?.focus(), [id])
  return place
}

function TradeFacts({ trade }: { trade: Trade }) {
  const { status, price, buyer, message, counteredOffer } = trade
  return (
    <>
      <div>
        <Text fw={700}>{carName(trade)}</Text>
        <CarLines trade={trade} />
      </div>
      <PhotoStrip photos={trade.photos} name={carName(trade)} />
      <FactTable
        facts={[
          { term: fields.owner, value: buyer && fullName(buyer) },
          { term: fields.message, value: message },
          {
            term: texts.amounts.OFFERED[offerOrigin(trade)],
            value: counteredOffer !== null && formatUsd(counteredOffer),
          },
          {
            term: fields.counter,
            value: status === 'OFFER' && price !== null ? formatUsd(price) : null,
            strong: true,
          },
        ]}
      />
    </>
  )
}

type PreviewProps = { amount: Cents | null; trade: Pick<Trade, 'zipCode' | 'state'> }
/** Shows the offer as its owner will see it. The server computes the credit itself. */
function OfferPreview({ amount, trade: { zipCode, state } }: PreviewProps) {
  const rate = useQuery(taxRateQuery(zipCode))
  const known = rate.data?.rate ?? (rate.error ? taxTexts.error : null)
  const { credit, total } = explainCredit(amount ?? cents(0), zipCode, known)
  const shown = (value: Cents) => (amount === null || known === null ? '–' : formatUsdExact(value))
  return (
    <div>
      <Text fz="sm" fw={700} mb="xs">
        {tradeTexts.wholesaler.preview}
      </Text>
      <FactTable
        facts={[
          { term: taxTexts.credit, value: shown(credit) },
          { term: taxTexts.rate, value: known === null ? '–' : formatTaxRate(known) },
          { term: taxTexts.total, value: shown(total), strong: true },
        ]}
      />
      <Stack gap="xs" mt="xs">
        <Text c="dimmed" fz="sm">
          {texts.notPaidOut} {texts.estimate}
        </Text>
        <TaxNote rate={known} asOf={rate.data?.asOf ?? null} state={rate.data?.state ?? state} />
      </Stack>
    </div>
  )
}
