import type { Party } from '@keyturn/contract/accounts/rules.ts'
import { type NextStep, nextSteps } from '@keyturn/contract/dealers/next-steps.ts'
import { nextStepsTexts as texts } from '@keyturn/contract/dealers/next-steps-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { Card } from '../../components/layout/card.tsx'
import classes from './next-steps.module.css'

type NextStepsProps = { progress: Progress; side: Party }

/** Lists the steps that follow both signatures, with the person who takes each (R-deals-57). */
export function NextSteps({ progress, side }: NextStepsProps) {
  return (
    <Card title={texts.title}>
      <Steps progress={progress} side={side} />
    </Card>
  )
}

export function NextStepsButton({ progress, side }: NextStepsProps) {
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
          <Steps progress={progress} side={side} />
        </Dialog>
      )}
    </>
  )
}

function Steps({ progress, side }: NextStepsProps) {
  const { dealerName, dealerPhone, dealerHours, sellerState, needsFinancing, delivery } = progress
  const steps = nextSteps(
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
  return (
    <ol className={classes.steps}>
      {steps.map(({ by, when, what }) => (
        <li key={what} className={classes.step}>
          <p className={classes.head}>
            <strong>{nameOf(by, side, dealerName)}</strong>
            <span className={classes.when}>{when}</span>
          </p>
          <p>{what}</p>
        </li>
      ))}
    </ol>
  )
}

function nameOf(by: NextStep['by'], side: Party, dealer: string): string {
  if (by === 'DEALER') return dealer
  if (by === 'LENDER' && side === 'SELLER') return texts.doers.yourLender
  return by === side ? texts.doers.you : texts.doers[by]
}
