import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import classes from './navigation-progress.module.css'

/**
 * Shows progress from a tap on a link until the next screen or document appears. Hidden from screen
 * readers, which announce the page when it has loaded.
 */
export function NavigationProgress() {
  const isNavigating = useRouterState({ select: ({ isLoading }) => isLoading })
  const isLeaving = useIsLeaving()
  return (
    (isNavigating || isLeaving) && (
      <div className={classes.line} data-progress="navigation" aria-hidden data-print="hide" />
    )
  )
}

/**
 * Returns true from a tap on a link to a server-rendered page until this document is left or
 * restored.
 */
function useIsLeaving(): boolean {
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const isPlain = !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.shiftKey
      const link = event.target instanceof Element ? event.target.closest('a[data-leaves]') : null
      if (isPlain && link && !link.getAttribute('target')) setLeaving(true)
    }
    const onPageShow = () => setLeaving(false)
    window.addEventListener('click', onClick)
    window.addEventListener('pageshow', onPageShow)
    return () => {
      window.removeEventListener('click', onClick)
      window.removeEventListener('pageshow', onPageShow)
    }
  }, [])
  return isLeaving
}
