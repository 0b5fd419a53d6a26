import { type ReactNode, useEffect, useRef } from 'react'
import { isFocusLost, ShownContext } from '../feedback/focus.ts'
import { texts } from '../texts.ts'
import classes from './page.module.css'

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
  const isShown = useShown()
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
      <ShownContext value={isShown}>{children}</ShownContext>
    </div>
  )
}

/** "Confirm buyer · 2003 Honda Accord · Keyturn"; for the few pages that are no `Page`. */
export function useTabTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`
  }, [title])
}

const here = () => (typeof location === 'undefined' ? '' : location.pathname + location.search)
const pathOf = (address: string) => address.split('?')[0]

// The first address of a visit is told by the browser; this is the last one that was told here.
const firstAddress = here()
let told: string | null = null

/** After a navigation the focus would be left on what is gone, be it a link or a title: it goes to the new title. */
function useFocusOnArrival() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const address = here()
    if (told === null && address === firstAddress) return
    if (pathOf(address) === pathOf(told ?? firstAddress) && !isFocusLost()) return
    told = address
    heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}

function useShown() {
  const isShown = useRef(false)
  // Children's effects come first: for them the page is not shown yet.
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}
