import type { Party } from '@keyturn/contract/accounts/rules.ts'
import { findAppointment, type NextStep, nextSteps } from '@keyturn/contract/dealers/next-steps.ts'
import { nextStepsTexts as texts } from '@keyturn/contract/dealers/next-steps-texts.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import type { DealerStep, Progress } from '@keyturn/contract/deals/shapes.ts'
import { formatDate, formatDateTime, formatWallTime } from '@keyturn/contract/shared/dates.ts'
import { Button, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { IconCheck } from '../../../components/icons.tsx'
import { Card } from '../../../components/layout/card.tsx'
import classes from './sale-steps.module.css'

const { said } = dealersTexts

type SaleStepsProps = { progress: Progress; side: Party }

/**
 * Lists what the dealer has reported since both signed, oldest first, and then the steps ahead with
 * the person who takes each (R-deals-57, R-deals-75).
 */
export function SaleSteps({ progress, side }: SaleStepsProps) {
  const [reported, ahead] = [stepsReported(progress), stepsAhead(progress, side)]
  if (reported.length + ahead.length === 0) return null
  return (
    <Card title={texts.title}>
      <ol className={classes.steps}>
        {reported.map((step) => (
          <li
            key={`${step.at} ${step.step}`}
            className={classes.step}
            data-state={isDone(step) ? 'done' : 'reported'}
          >
            {isDone(step) && <IconCheck size={18} stroke={2.25} className={classes.tick} />}
            <div className={classes.line}>
              {isDone(step) && <VisuallyHidden>{texts.isDone}: </VisuallyHidden>}
              <span>{describeStep(step, progress, side)}</span>
              <time className={classes.when} dateTime={step.at} title={formatDateTime(step.at)}>
                {said.by(progress.dealerName, formatDate(step.at))}
              </time>
            </div>
          </li>
        ))}
        {ahead.map(({ by, title, when, what }) => (
          <li key={what} className={classes.step}>
            <details>
              <summary className={classes.line}>
                <strong>{title}</strong>
                <span className={classes.when}>{doerName(by, side, progress.dealerName)}</span>
              </summary>
              <p className={classes.when}>{when}</p>
              <p>{what}</p>
            </details>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** A report of a document or of an appointment does not say that the document came or that both met. */
const isDone = ({ step }: DealerStep): boolean =>
  step === 'accepted' || step === 'paidSeller' || step === 'titleReceived' || step === 'complete'

/** Shows the same steps before both have signed. */
export function SaleStepsButton({ progress, side }: SaleStepsProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button variant="subtle" onClick={() => setOpen(true)}>
        {texts.ask}
      </Button>
      {isOpen && (
        <Dialog
          title={texts.askTitle}
          onClose={close}
          actions={<Button onClick={close}>{texts.close}</Button>}
        >
          <Text>{texts.askLead}</Text>
          <ol className={classes.steps}>
            {stepsAhead(progress, side).map(({ by, when, what }) => (
              <li key={what} className={classes.step}>
                <p className={classes.line}>
                  <strong>{doerName(by, side, progress.dealerName)}</strong>
                  <span className={classes.when}>{when}</span>
                </p>
                <p>{what}</p>
              </li>
            ))}
          </ol>
        </Dialog>
      )}
    </>
  )
}

/** Returns the steps that are still ahead, the next one first. */
export function stepsAhead(progress: Progress, side: Party): NextStep[] {
  // What is left after the end is the seller's.
  if (side === 'BUYER' && progress.completed) return []
  const { dealerName, dealerPhone, dealerHours, sellerState, needsFinancing, delivery } = progress
  return nextSteps(
    {
      loan: progress.terms?.sellerOwes ?? progress.carDetails.payoff,
      trade: progress.requestTradeVins.length > progress.owedTradeVins.length,
      tradeLoan: progress.owedTradeVins.length > 0,
      financing: needsFinancing === true,
      delivery,
      reported: progress.dealerSteps,
      now: progress.now,
    },
    { dealer: { name: dealerName, phone: dealerPhone, hours: dealerHours }, sellerState, side },
  )
}

/** The dealer's steps that are not ahead as well: an appointment to come, a document still asked for. */
function stepsReported({ dealerSteps: reported, now }: Progress): DealerStep[] {
  const isAhead = (one: DealerStep) =>
    isLatest(one, reported) &&
    (one.step === 'appointment'
      ? findAppointment({ reported, now }) !== null
      : one.step === 'needsDocument' && !reported.some(({ step }) => step === 'complete'))
  return reported.filter((one) => !isAhead(one))
}

const isLatest = (one: DealerStep, reported: readonly DealerStep[]) =>
  one === reported.findLast(({ step }) => step === one.step)

function describeStep(one: DealerStep, { dealerSteps }: Progress, side: Party): string {
  const { step, document = '', place = '', time, reason = '' } = one
  switch (step) {
    case 'needsDocument':
      return said.needsDocument(document)
    case 'appointment':
      return said[isLatest(one, dealerSteps) ? 'appointment' : 'earlierAppointment'](
        time ? formatWallTime(time) : '',
        place,
      )
    case 'paidSeller':
      return said[side === 'SELLER' ? 'paidYou' : 'paidSeller']
    case 'cancelled':
      return said.cancelled(reason)
    default:
      return said[step]
  }
}

export function doerName(by: NextStep['by'], side: Party, dealer: string): string {
  if (by === 'DEALER') return dealer
  if (by === 'LENDER' && side === 'SELLER') return texts.doers.yourLender
  return by === side ? texts.doers.you : texts.doers[by]
}
