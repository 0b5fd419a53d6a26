import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import classes from './navigation-progress.module.css'

/**
 * Says that a tapped link was heard while the next screen or document is still on its way. Hidden from screen readers,
 * which are told of the page once it is there.
 */
export function NavigationProgress() {
  const isUnderWay = useRouterState({ select: ({ isLoading }) => isLoading })
  const isLeaving = useIsLeaving()
  return (
    (isUnderWay || isLeaving) && (
      <div className={classes.line} data-progress="navigation" aria-hidden data-print="hide" />
    )
  )
}

/** From the tap on a link to a page that the server renders until this document is left, or come back to. */
function useIsLeaving(): boolean {
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => {
    const hear = (event: MouseEvent) => {
      const isPlain = !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.shiftKey
      const link = event.target instanceof Element ? event.target.closest('a[data-leaves]') : null
      if (isPlain && link && !link.getAttribute('target')) setLeaving(true)
    }
    const comeBack = () => setLeaving(false)
    window.addEventListener('click', hear)
    window.addEventListener('pageshow', comeBack)
    return () => {
      window.removeEventListener('click', hear)
      window.removeEventListener('pageshow', comeBack)
    }
  }, [])
  return isLeaving
}
