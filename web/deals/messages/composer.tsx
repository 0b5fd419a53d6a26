import type { Message } from '@keyturn/contract/deals/messages/calls.ts'
import { messageText, sendMessage } from '@keyturn/contract/deals/messages/calls.ts'
import { messagesTexts as texts } from '@keyturn/contract/deals/messages/messages-texts.ts'
import { mostOfMessage } from '@keyturn/contract/deals/messages/rules.ts'
import { Text } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useAct } from '../../decide/act.ts'
import { announce, useBriefly } from '../../ui/feedback/notice.tsx'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { WorkButton } from '../../ui/feedback/work-button.tsx'
import { TextAreaField } from '../../ui/fields/text-field.tsx'
import { useDraft } from '../../who/use-draft.ts'
import { messagesQuery } from '../queries.ts'
import classes from './messages.module.css'

/** From here on it says how many characters are left. */
const nearlyFull = 200

type ComposerProps = { dealId: string; to: string; messages: readonly Message[] }

/** Writes to the other one. What is typed stays in the field until the server has it. */
export function Composer({ dealId, to, messages }: ComposerProps) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [isSent, showSent] = useBriefly(4000)
  const field = useRef<HTMLTextAreaElement>(null)
  const send = useAct(sendMessage, { refresh: [messagesQuery(dealId).queryKey] })
  useDraft<{ text: string }>(
    {
      getValues: () => ({ text }),
      setValues: (kept) => setText(kept.text ?? ''),
      isDirty: () => text !== '',
    },
    `message ${dealId}`,
  )

  const done = () => {
    setText('')
    send.reset()
    showSent()
    announce(texts.sent)
  }
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (send.isWorking) return
    const read = messageText.safeParse(text)
    setFault(read.error?.issues[0]?.message ?? null)
    if (!read.success) return field.current?.focus()
    if (await send.attempt({ params: { dealId }, body: { text: read.data } })) done()
    field.current?.focus()
  }
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
  }

  // Its answer was lost, and here it is: saying that it was not sent would be wrong.
  const last = messages.findLast(({ isMine }) => isMine)
  const before = useRef(last?._id)
  if (!send.isUnanswered) before.current = last?._id
  const hasArrived =
    send.isUnanswered && last !== undefined && last._id !== before.current && last.text === text.trim()
  const takeAsSent = useEffectEvent(done)
  useEffect(() => {
    if (hasArrived) takeAsSent()
  }, [hasArrived])

  const left = mostOfMessage - text.trim().length
  return (
    <form onSubmit={submit} className={classes.composer}>
      <TextAreaField
        ref={field}
        label={texts.label(to)}
        description={texts.notSigned}
        minRows={2}
        value={text}
        readOnly={send.isWorking}
        error={fault}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setFault(null)
        }}
        onKeyDown={sendByKey}
      />
      <div className={classes.foot}>
        <Text size="sm" c="dimmed" role="status">
          {isSent ? texts.sent : left <= nearlyFull ? texts.left(Math.max(left, 0)) : ''}
        </Text>
        <WorkButton
          type="submit"
          variant="light"
          size="sm"
          busy={send.isWorking}
          working={texts.sending}
          title={texts.keys}
        >
          {texts.send}
        </WorkButton>
      </div>
      {send.refusal && !send.isWorking && !hasArrived && (
        <Trouble title={texts.notSent} retry={texts.again} onRetry={() => submit()}>
          {send.refusal.message}
        </Trouble>
      )}
    </form>
  )
}
