import { messagesTexts as texts } from '@keyturn/contract/messages/texts.ts'
import { Anchor } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { timelineId } from './deal-timeline.tsx'
import classes from './messages.module.css'
import { useMessages } from './use-messages.ts'

/** Links from the top of a deal's page to its new messages (R-deals-85). */
export function NewMessages({ dealId }: { dealId: string }) {
  const count = useMessages(dealId).messages?.filter(({ isNew }) => isNew).length ?? 0
  return count > 0 && <MessagesLink placeId={timelineId}>{texts.count(count)}</MessagesLink>
}

/** A link to a place on the page, removed once that place was seen. */
export function MessagesLink({ placeId, children }: { placeId: string; children: string }) {
  const own = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const button = own.current
    // A focus on the removed link moves to its target.
    return () => {
      if (button && document.activeElement === button) focusOn(placeId)
    }
  }, [placeId])
  const go = () => {
    document.getElementById(placeId)?.scrollIntoView()
    focusOn(placeId)
  }
  return (
    <Anchor ref={own} component="button" type="button" className={classes.news} onClick={go}>
      {children}
    </Anchor>
  )
}

/** Focuses the field, or else the content there, for people who cannot see the scroll position. */
function focusOn(placeId: string) {
  const place = document.getElementById(placeId)
  const field = place?.querySelector<HTMLElement>('textarea:not([readonly])') ?? place
  field?.focus({ preventScroll: true })
}
