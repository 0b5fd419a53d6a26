import { type ReactNode, useEffect, useRef } from 'react'
import { isFocusLost, ShownContext } from '../feedback/focus.ts'
import { texts } from '../texts.ts'
import classes from './page.module.css'

type PageProps = {
  /** A string, except on server-rendered pages, which set the document's title themselves. */
  title: ReactNode
  /** Longer than the title, for the browser tab: "Confirm buyer · 2003 Honda Accord". */
  documentTitle?: string
  /** Makes the title small, for pages whose large heading is the question that they ask. */
  quietTitle?: boolean
  lead?: ReactNode
  back?: ReactNode
  action?: ReactNode
  /** On narrow screens, the action stays beside the title if both fit. */
  hasCompactAction?: boolean
  width?: 'wizard' | 'list' | 'paper'
  children: ReactNode
}

export function Page(props: PageProps) {
  const {
    title,
    documentTitle,
    quietTitle,
    lead,
    back,
    action,
    hasCompactAction,
    width = 'list',
    children,
  } = props
  const heading = useFocusOnArrival()
  const isShown = useShown()
  useTabTitle(documentTitle ?? String(title))
  return (
    <div className={classes.page} data-width={width}>
      <div className={classes.top} data-quiet={quietTitle} data-print="beside-paper">
        {back}
        <div className={classes.titleRow}>
          <h1 ref={heading} tabIndex={-1} className={quietTitle ? classes.quietTitle : classes.title}>
            {title}
          </h1>
          {action && (
            <div className={classes.action} data-compact={hasCompactAction}>
              {action}
            </div>
          )}
        </div>
        {lead && <div className={classes.lead}>{lead}</div>}
      </div>
      <ShownContext value={isShown}>{children}</ShownContext>
    </div>
  )
}

function useTabTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`
  }, [title])
}

const currentAddress = () => (typeof location === 'undefined' ? '' : location.pathname + location.search)
const pathOf = (address: string) => address.split('?')[0]

// Browsers announce the first page of a visit themselves, so only later pages are announced here.
const firstAddress = currentAddress()
let announced: string | null = null

/** Moves the focus to the new title after a navigation, because the focused element is gone. */
function useFocusOnArrival() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const address = currentAddress()
    if (announced === null && address === firstAddress) return
    if (pathOf(address) === pathOf(announced ?? firstAddress) && !isFocusLost()) return
    announced = address
    heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}

function useShown() {
  const isShown = useRef(false)
  // The effects of children run first, when the page does not yet count as shown.
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}
