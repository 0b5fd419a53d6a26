import { messagesTexts as texts } from '@keyturn/contract/messages/texts.ts'
import { Anchor } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { timelineId } from './deal-timeline.tsx'
import classes from './messages.module.css'
import { useMessages } from './use-messages.ts'

/** Links from the top of a deal's page to its new messages (R-deals-85). */
export function NewMessagesLink({ dealId }: { dealId: string }) {
  const count = useMessages(dealId).messages?.filter(({ isNew }) => isNew).length ?? 0
  return count > 0 && <MessagesLink placeId={timelineId}>{texts.count(count)}</MessagesLink>
}

/**
 * Links to an element of this page. The caller removes the link once the messages there have been
 * seen.
 */
export function MessagesLink({ placeId: targetId, children }: { placeId: string; children: string }) {
  const link = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const button = link.current
    // When the link is removed, the focus must not be lost.
    return () => {
      if (button && document.activeElement === button) focusTarget(targetId)
    }
  }, [targetId])
  const scrollToTarget = () => {
    document.getElementById(targetId)?.scrollIntoView()
    focusTarget(targetId)
  }
  return (
    <Anchor ref={link} component="button" type="button" className={classes.news} onClick={scrollToTarget}>
      {children}
    </Anchor>
  )
}

/**
 * Focuses the text field, or the element without one, for people who cannot see the scroll
 * position.
 */
function focusTarget(placeId: string) {
  const place = document.getElementById(placeId)
  const field = place?.querySelector<HTMLElement>('textarea:not([readonly])') ?? place
  field?.focus({ preventScroll: true })
}
