import { isServerRenderedPage } from '@keyturn/contract/shared/pages.ts'
import { useEffect, useState } from 'react'
import { Spinner } from '../feedback/spinner.tsx'
import { ErrorScreen } from './error-screen.tsx'

/**
 * Handles an address without a screen: loads the server-rendered page at that address, or the
 * landing page.
 */
export function RedirectNotice() {
  const [isOver] = useState(isAppInstead)
  useEffect(() => {
    if (isOver) return
    if (isServerRenderedPage(window.location.pathname)) window.location.reload()
    else window.location.replace('/')
  }, [isOver])
  return isOver ? <ErrorScreen /> : <Spinner />
}

/**
 * Whether the server sent the app although it should have rendered the page. A reload would loop.
 */
function isAppInstead(): boolean {
  const { pathname, href } = window.location
  const [loaded] = performance.getEntriesByType('navigation')
  return isServerRenderedPage(pathname) && new URL(loaded?.name ?? '', href).pathname === pathname
}
