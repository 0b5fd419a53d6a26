import { decideBuyer } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import type { Asked } from '@keyturn/contract/kit/call.ts'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useAct } from '../../decide/act.ts'
import { Behind } from '../../decide/behind.tsx'
import type { Change } from '../../decide/changes.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { announce } from '../../ui/feedback/notice.tsx'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { WorkButton } from '../../ui/feedback/work-button.tsx'
import { TextAreaField } from '../../ui/fields/text-field.tsx'

const texts = dealTexts.seller

type Whom = Pick<Asked<typeof decideBuyer>['body'], 'userId' | 'vin' | 'buyerId' | 'version'>

/** A seller's no to a buyer, sent with the word that was typed to them; `said` is announced once it is done. */
export function useTurnDown(said: string, onDone: () => void) {
  const [message, setMessage] = useState('')
  const sending = useAct(decideBuyer, {
    refresh: [['deals'], ['cars']],
    onDone: () => {
      announce(said)
      onDone()
    },
  })
  const send = (whom: Whom) =>
    sending.attempt({ body: { ...whom, status: 'REJECTED', message: message.trim() || undefined } })
  return { ...sending, message, setMessage, send }
}

type TurnDownProps = {
  title: string
  confirm: string
  turnDown: ReturnType<typeof useTurnDown>
  whom: Whom
  /** Why there is nobody left to say no to. */
  over: string | null
  /** What has changed since it was opened: a click goes on with it before anything is sent. */
  news: false | { title: string; changes: readonly Change[]; goOn: string; catchUp: () => void }
  /** Where the question says no more than the row that led here, the message is first. */
  beginsWithMessage?: boolean
  children: ReactNode
  onClose: () => void
}

/** What a denial and a release have in common. */
export function TurnDownDialog(props: TurnDownProps) {
  const { turnDown, over, news, onClose } = props
  const goOn = () => {
    if (news) news.catchUp()
    turnDown.reset()
  }
  const trouble = over ?? turnDown.refusal?.message
  return (
    <Dialog
      title={props.title}
      focusInside={props.beginsWithMessage}
      size="sm"
      onClose={onClose}
      onSubmit={() => (over || news ? undefined : turnDown.send(props.whom))}
      busy={turnDown.isWorking}
      trouble={news ? <Behind {...news} onGoOn={goOn} /> : trouble && <Trouble>{trouble}</Trouble>}
      actions={
        over ? (
          <Button onClick={onClose}>{texts.close}</Button>
        ) : (
          <>
            <Button variant="default" onClick={onClose} disabled={turnDown.isWorking}>
              {texts.cancel}
            </Button>
            <WorkButton type="submit" color="brick" busy={turnDown.isWorking} disabled={Boolean(news)}>
              {props.confirm}
            </WorkButton>
          </>
        )
      }
    >
      {props.children}
      <TextAreaField
        label={texts.denyMessage}
        maxLength={1000}
        data-autofocus={props.beginsWithMessage || undefined}
        value={turnDown.message}
        onChange={(event) => turnDown.setMessage(event.currentTarget.value)}
      />
    </Dialog>
  )
}
