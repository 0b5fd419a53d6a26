import { Anchor } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import classes from './messages.module.css'

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

/** Focuses the element, for people who cannot see the scroll position. */
const focusTarget = (placeId: string) => document.getElementById(placeId)?.focus({ preventScroll: true })
