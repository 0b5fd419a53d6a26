import { type ReactNode, useEffect, useRef } from 'react'
import classes from './page.module.css'
import { texts } from './texts.ts'

type PageProps = {
  title: string
  /** Says more than the title where the tab needs it: "Confirm buyer · 2003 Honda Accord". */
  documentTitle?: string
  /** A small title, for pages whose large heading is the question they ask. */
  quietTitle?: boolean
  lead?: ReactNode
  back?: ReactNode
  action?: ReactNode
  width?: 'wizard' | 'list' | 'paper'
  children: ReactNode
}

export function Page({
  title,
  documentTitle,
  quietTitle,
  lead,
  back,
  action,
  width = 'list',
  children,
}: PageProps) {
  const heading = useFocusOnArrival()
  useTabTitle(documentTitle ?? title)
  return (
    <div className={classes.page} data-width={width}>
      <div className={classes.top} data-quiet={quietTitle} data-print="beside-paper">
        {back}
        <div className={classes.titleRow}>
          <h1 ref={heading} tabIndex={-1} className={quietTitle ? classes.quietTitle : classes.title}>
            {title}
          </h1>
          {action && <div className={classes.action}>{action}</div>}
        </div>
        {lead && <div className={classes.lead}>{lead}</div>}
      </div>
      {children}
    </div>
  )
}

/** "Confirm buyer · 2003 Honda Accord · Keyturn"; for the few pages that are no `Page`. */
export function useTabTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`
  }, [title])
}

// The path the person was last told about; the first page needs no telling, the browser does it.
let announcedPath = typeof location === 'undefined' ? '' : location.pathname

/** After a navigation the focus would be left on a link that is gone: it goes to the new page's title. */
function useFocusOnArrival() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (location.pathname === announcedPath) return
    announcedPath = location.pathname
    heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
