import { messagesTexts as texts } from '@keyturn/contract/deals/messages/messages-texts.ts'
import { Anchor } from '@mantine/core'
import { timelineId } from '../deal-timeline.tsx'
import classes from './messages.module.css'
import { useMessages } from './use-messages.ts'

/** At the top of a deal's page: that there is something new further down, and the way there (R-deals-85). */
export function NewMessages({ dealId }: { dealId: string }) {
  const count = useMessages(dealId).messages?.filter(({ isNew }) => isNew).length ?? 0
  if (count === 0) return null
  return (
    <Anchor component="button" type="button" className={classes.news} onClick={goThere}>
      {texts.count(count)}
    </Anchor>
  )
}

function goThere() {
  const timeline = document.getElementById(timelineId)
  timeline?.scrollIntoView()
  // The field, so that whoever cannot see where the page went is there, too.
  timeline?.querySelector('textarea')?.focus({ preventScroll: true })
}
