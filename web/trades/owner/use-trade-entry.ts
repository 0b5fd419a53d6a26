// Also for the guided purchase, whose second stage is this form.

import { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { addTrade, type Trade } from '@keyturn/contract/trades/calls.ts'
import { useState } from 'react'
import { useAct } from '../../decide/act.ts'
import { submits, withServerErrors } from '../../ui/fields/form.ts'
import { useMyId } from '../../who/session.tsx'
import { useDraft } from '../../who/use-draft.ts'
import { isOutOfReach } from '../../wire/refusals.ts'
import { type NewTrade, newTradeOf, useTradeForm } from './trade-form.tsx'

/** Entry, then a confirmation, then success or error (R-trades-16). */
type Step =
  | { name: 'entry' }
  | { name: 'confirm'; trade: NewTrade }
  | { name: 'submitted'; trade: Trade }
  | { name: 'failed'; refusal: Refusal }

export type TradeEntry = ReturnType<typeof useTradeEntry>

/** Submits a trade, wherever its form is. The form's fields take `round` as their key. */
export function useTradeEntry() {
  const myId = useMyId()
  const form = useTradeForm()
  const [round, setRound] = useState(0)
  const [step, setStep] = useState<Step>({ name: 'entry' })
  useDraft(form, 'trade', { isOver: step.name === 'submitted' })
  const adding = useAct(addTrade, { refresh: [['trades'], ['deals']] })
  const edit = () => setStep({ name: 'entry' })
  return {
    form,
    round,
    step,
    edit,
    submit: submits(form, (values) => setStep({ name: 'confirm', trade: newTradeOf(values) })),
    confirm: async (trade: NewTrade) => {
      try {
        setStep({ name: 'submitted', trade: await adding.act({ body: { ...trade, buyerId: myId } }) })
      } catch (fault) {
        if (!(fault instanceof Refusal)) throw fault
        // The network may be away only briefly, so what was confirmed stays and one more click sends it.
        if (isOutOfReach(fault)) throw fault
        if (withServerErrors(form, fault)) return edit()
        setStep({ name: 'failed', refusal: fault })
      }
    },
    startAnew: () => {
      form.reset()
      setRound(round + 1)
      edit()
    },
  }
}
