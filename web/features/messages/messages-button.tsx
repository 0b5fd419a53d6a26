import type { Person } from '@keyturn/contract/accounts/endpoints.ts'
import { firstNameOf } from '@keyturn/contract/messages/rules.ts'
import { messagesTexts as texts } from '@keyturn/contract/messages/texts.ts'
import { Button, type ButtonProps } from '@mantine/core'
import { useState } from 'react'
import { useHasDraft } from '../../auth/use-draft.ts'
import { IconMessage } from '../../components/icons.tsx'
import { messageDraft } from './composer.tsx'
import classes from './messages.module.css'
import { MessagesSheet } from './messages-sheet.tsx'
import { useAnnounceMessages, useMessages } from './use-messages.ts'

type Other = Pick<Person, 'firstName' | 'lastName'>
type MessagesButtonProps = { dealId: string; vin: string; other: Other }

/** Opens the messages of a deal, from its header. The count is that of new ones (R-deals-85). */
export function MessagesButton({ dealId, vin, other }: MessagesButtonProps) {
  const [isShown, setShown] = useState(false)
  const { messages, isOpen } = useMessages(dealId)
  const hasDraft = useHasDraft(messageDraft(dealId), isShown)
  useAnnounceMessages(messages)
  if (messages?.length === 0 && !isOpen && !hasDraft && !isShown) return null
  return (
    <>
      <WriteButton
        name={messages && !isOpen ? texts.read : texts.write(firstNameOf(other))}
        count={messages?.filter(({ isNew }) => isNew).length ?? 0}
        hasDraft={hasDraft}
        onClick={() => setShown(true)}
      />
      {isShown && <MessagesSheet dealId={dealId} vin={vin} other={other} onClose={() => setShown(false)} />}
    </>
  )
}

type WriteButtonProps = Pick<ButtonProps, 'size'> & {
  name: string
  /** The buyer, where the requests of several are listed. */
  fullName?: string
  count: number
  hasDraft?: boolean
  onClick: () => void
}

export function WriteButton({ name, fullName, count, hasDraft, ...rest }: WriteButtonProps) {
  const label = fullName ? texts.write(fullName) : name
  return (
    <Button
      {...rest}
      variant={count > 0 ? 'light' : 'default'}
      leftSection={<IconMessage size={20} stroke={1.75} />}
      aria-label={[label, count > 0 && texts.count(count), hasDraft && texts.draft]
        .filter(Boolean)
        .join(', ')}
    >
      {name}
      {/* Drawn by CSS: the label says both in words, and would have to repeat any text in here. */}
      {hasDraft && <span className={classes.draft} data-words={texts.draft} />}
      {count > 0 && <span className={classes.count} data-words={count} />}
    </Button>
  )
}
