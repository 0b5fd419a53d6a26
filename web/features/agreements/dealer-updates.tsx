import type { Party } from '@keyturn/contract/accounts/rules.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import type { DealerStep, Progress } from '@keyturn/contract/deals/shapes.ts'
import { formatDateTime, formatWallTime } from '@keyturn/contract/shared/dates.ts'
import { Card } from '../../components/layout/card.tsx'
import classes from './next-steps.module.css'

const texts = dealersTexts.said

/** Lists the dealer's steps since both signed, the newest last (R-deals-75). */
export function DealerUpdates({
  progress: { dealerName, dealerSteps },
  side,
}: {
  progress: Progress
  side: Party
}) {
  if (dealerSteps.length === 0) return null
  const last = dealerSteps.findLast(({ step }) => step === 'appointment')
  return (
    <Card title={texts.title(dealerName)}>
      <ol className={classes.steps}>
        {dealerSteps.map((update) => (
          <li key={`${update.at} ${update.step}`} className={classes.step}>
            <p>{describeStep(update, side, update === last)}</p>
            <p className={classes.when}>{formatDateTime(update.at)}</p>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function describeStep(
  { step, document = '', place = '', time, reason = '' }: DealerStep,
  side: Party,
  isLatest: boolean,
): string {
  switch (step) {
    case 'needsDocument':
      return texts.needsDocument(document)
    case 'appointment':
      return texts[isLatest ? 'appointment' : 'earlierAppointment'](time ? formatWallTime(time) : '', place)
    case 'paidSeller':
      return side === 'SELLER' ? texts.paidYou : texts.paidSeller
    case 'cancelled':
      return texts.cancelled(reason)
    default:
      return texts[step]
  }
}
