import { messagesTexts as texts } from '@keyturn/contract/messages/texts.ts'
import { Anchor } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { timelineId } from '../deals/deal-timeline.tsx'
import classes from './messages.module.css'
import { useMessages } from './use-messages.ts'

/** At the top of a deal's page: that there is something new further down, and the way there (R-deals-85). */
export function NewMessages({ dealId }: { dealId: string }) {
  const count = useMessages(dealId).messages?.filter(({ isNew }) => isNew).length ?? 0
  return count > 0 && <MessagesLink placeId={timelineId}>{texts.count(count)}</MessagesLink>
}

/** A line that leads to a place of the page, and goes once that was seen. */
export function MessagesLink({ placeId, children }: { placeId: string; children: string }) {
  const own = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const button = own.current
    // Whoever stands on it when it goes is where it leads, instead of nowhere.
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

/** The field, so that whoever cannot see where the page went is there, too; else what stands there. */
function focusOn(placeId: string) {
  const place = document.getElementById(placeId)
  const field = place?.querySelector<HTMLElement>('textarea:not([readonly])') ?? place
  field?.focus({ preventScroll: true })
}
