import { isRenderedPage } from '@keyturn/contract/shared/pages.ts'
import { useEffect, useState } from 'react'
import { Spinner } from '../feedback/spinner.tsx'
import { ErrorScreen } from './error-screen.tsx'

/** An address that the app has no screen for: a page that the server renders is loaded, any other is the landing page. */
export function RedirectNotice() {
  const [isOver] = useState(cameInstead)
  useEffect(() => {
    if (isOver) return
    if (isRenderedPage(window.location.pathname)) window.location.reload()
    else window.location.replace('/')
  }, [isOver])
  return isOver ? <ErrorScreen /> : <Spinner />
}

/** The server has sent the app in place of a page that it should have rendered: loading it again would never end. */
function cameInstead(): boolean {
  const { pathname, href } = window.location
  const [loaded] = performance.getEntriesByType('navigation')
  return isRenderedPage(pathname) && new URL(loaded?.name ?? '', href).pathname === pathname
}
