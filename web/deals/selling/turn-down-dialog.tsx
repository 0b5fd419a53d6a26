import { decideBuyer } from '@keyturn/contract/deals/calls.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Asked } from '@keyturn/contract/kit/call.ts'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useAct } from '../../decide/act.ts'
import { DecisionNews } from '../../decide/decision-news.tsx'
import type { useDecision } from '../../decide/use-decision.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { FormActions } from '../../ui/feedback/form-actions.tsx'
import { announce } from '../../ui/feedback/notice.tsx'
import { TextAreaField } from '../../ui/fields/text-field.tsx'

type Whom = Pick<Asked<typeof decideBuyer>['body'], 'userId' | 'vin' | 'buyerId' | 'version'>

/** Denies or releases a buyer with the typed message; `said` is announced once it is done. */
export function useTurnDown(said: string, onDone: () => void) {
  const [message, setMessage] = useState('')
  const sending = useAct(decideBuyer, {
    refresh: [['deals'], ['cars']],
    onDone: () => {
      announce(said)
      onDone()
    },
  })
  return { by: sending, message, setMessage }
}

type TurnDownProps<Row extends object | undefined> = {
  title: string
  confirm: string
  decision: ReturnType<typeof useDecision<typeof decideBuyer, Row>>
  typed: Pick<ReturnType<typeof useTurnDown>, 'message' | 'setMessage'>
  whom: (read: NonNullable<Row>) => Whom
  /** Why there is nobody left to turn down, once that is so. */
  over: string
  changed: string
  goOn: string
  /** For dialogs whose question only repeats the row they were opened from. */
  beginsWithMessage?: boolean
  children: ReactNode
  onClose: () => void
}

/** What a denial and a release have in common. */
export function TurnDownDialog<Row extends object | undefined>(props: TurnDownProps<Row>) {
  const { decision, typed, whom, changed, goOn, onClose } = props
  const { isGone, isWorking } = decision
  const message = typed.message.trim() || undefined
  const send = () => decision.attempt((read) => ({ body: { ...whom(read), status: 'REJECTED', message } }))
  return (
    <Dialog
      title={props.title}
      focusInside={props.beginsWithMessage}
      size="sm"
      onClose={onClose}
      onSubmit={send}
      busy={isWorking}
      trouble={<DecisionNews of={decision} over={isGone && props.over} changed={changed} goOn={goOn} />}
      actions={
        isGone ? (
          <Button onClick={onClose}>{texts.close}</Button>
        ) : (
          <FormActions danger onCancel={onClose} busy={isWorking} disabled={!decision.mayDecide}>
            {props.confirm}
          </FormActions>
        )
      }
    >
      {props.children}
      <TextAreaField
        label={texts.denyMessage}
        maxLength={1000}
        data-autofocus={props.beginsWithMessage || undefined}
        value={typed.message}
        onChange={(event) => typed.setMessage(event.currentTarget.value)}
      />
    </Dialog>
  )
}
