import { isRenderedPage } from '@keyturn/contract/kit/pages.ts'
import { useEffect } from 'react'
import { Spinner } from '../feedback/spinner.tsx'

/** An address that the app has no screen for: a page that the server renders is loaded, any other is the landing page. */
export function Elsewhere() {
  useEffect(() => {
    if (isRenderedPage(window.location.pathname)) window.location.reload()
    else window.location.replace('/')
  }, [])
  return <Spinner />
}
