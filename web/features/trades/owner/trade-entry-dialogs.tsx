import { describeOwed } from '@keyturn/contract/cars/loan-texts.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { formatMiles } from '@keyturn/contract/shared/miles.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCarSearch } from '../../../api/search-params.ts'
import { Vin } from '../../../components/display/vin.tsx'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { FailureDialog } from '../../../components/feedback/failure-dialog.tsx'
import { Outcome } from '../../../components/feedback/outcome.tsx'
import { FactTable } from '../../../components/lists/fact-table.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'
import type { NewTrade } from './trade-form.tsx'
import type { TradeEntry } from './use-trade-entry.ts'

const texts = tradeTexts.input

type TradeEntryDialogsProps = { entry: TradeEntry; next: ReactNode; onDone: () => void }

/** The dialogs that follow the form: first every value for confirmation, then the result. */
export function TradeEntryDialogs({ entry, next, onDone }: TradeEntryDialogsProps) {
  const { step, edit, confirm, tryAgain } = entry
  const search = useCarSearch()
  switch (step.name) {
    case 'entry':
      return null
    case 'confirm':
      return <ConfirmTrade trade={step.given} onConfirm={() => confirm(step.given)} onClose={edit} />
    case 'added':
      return <TradeSubmitted trade={step.added} next={next} onClose={onDone} />
    case 'failed':
      return (
        <FailureDialog
          title={texts.failedTitle}
          sentence={texts.failed}
          fault={step.error}
          onTryAgain={tryAgain}
          onEdit={edit}
          action={
            <LinkButton to="/trade" search={search}>
              {texts.toDashboard}
            </LinkButton>
          }
        />
      )
  }
}

type ConfirmTradeProps = { trade: NewTrade; onConfirm: () => Promise<unknown>; onClose: () => void }

function ConfirmTrade({ trade, onConfirm, onClose }: ConfirmTradeProps) {
  const rows = texts.confirmRows
  return (
    <ConfirmDialog
      title={texts.confirmTitle}
      confirm={texts.confirm}
      cancel={texts.edit}
      working={texts.confirming}
      size="md"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Text>{texts.confirmLead}</Text>
      <FactTable
        label={texts.confirmTitle}
        facts={[
          { term: rows.vin, value: <Vin value={trade.vin} /> },
          { term: rows.make, value: trade.make },
          { term: rows.carModel, value: trade.carModel },
          { term: rows.trim, value: trade.trim },
          { term: rows.year, value: trade.year },
          { term: rows.mileage, value: formatMiles(trade.mileage) },
          { term: rows.color, value: trade.color },
          { term: rows.zipCode, value: trade.zipCode },
          { term: rows.payoff, value: describeOwed(trade) },
          { term: rows.message, value: trade.message },
        ]}
      />
    </ConfirmDialog>
  )
}

function TradeSubmitted({ trade, next, onClose }: { trade: Trade; next: ReactNode; onClose: () => void }) {
  return (
    <Dialog title={carName(trade)} size="sm" onClose={onClose} actions={next}>
      <Outcome kind="good" title={texts.done}>
        {texts.doneHint}
      </Outcome>
    </Dialog>
  )
}
