/** Keeps the header flat until the page scrolls under it (R-everywhere-29). */
export function shadowHeaderOnScroll(): void {
  const header = document.querySelector('header')
  const look = () => header?.setAttribute('data-scrolled', String(scrollY > 20))
  // Waits for the first frame, because an earlier read would force another layout.
  requestAnimationFrame(look)
  addEventListener('scroll', look, { passive: true })
}

/** Shows progress after a tap on a link (R-everywhere-35). */
export function showProgressOnLeaving(): void {
  const line = document.querySelector<HTMLElement>('[data-progress]')
  if (!line) return
  addEventListener('click', (event) => {
    const link = linkAt(event, 'a[href]')
    const isElsewhere = link && !link.target && !/^(#|mailto:|tel:)/.test(link.getAttribute('href') ?? '')
    if (isElsewhere && !event.defaultPrevented && !isAside(event)) line.hidden = false
  })
  addEventListener('pageshow', () => {
    line.hidden = true
  })
}

/** Opens the collapsed section that a link leads to, which not every browser does. */
export function expandLinkedSection(): void {
  addEventListener('click', (event) => expandSection(linkAt(event, 'a[href^="#"]')?.hash))
  expandSection(location.hash)
}

function expandSection(hash = ''): void {
  const folded = document.getElementById(hash.slice(1))?.closest('details')
  if (folded) folded.open = true
}

/** Returns to the previous page of this site if there is one. Otherwise follows the link. */
export function enableBackLinks(): void {
  addEventListener('click', (event) => {
    if (!linkAt(event, 'a[data-back]') || isAside(event) || !canGoBackHere()) return
    event.preventDefault()
    history.back()
  })
}

/** Browsers without the Navigation API do not reveal whether the previous page was on this site. */
function canGoBackHere(): boolean {
  const { navigation } = window as { navigation?: { canGoBack: boolean } }
  return navigation ? navigation.canGoBack : history.length > 1
}

/** Opens the share sheet, or copies the address where there is none. */
export function enableShareButtons(): void {
  addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-share]') : null
    if (!button) return
    const { title, location } = document
    const done = navigator.share
      ? navigator.share({ title, url: location.href })
      : navigator.clipboard.writeText(location.href).then(() => showShared(button))
    await done.catch(() => {
      // Sharing was canceled or is not allowed, so there is nothing to report.
    })
  })
}

function showShared(button: HTMLElement): void {
  const word = button.textContent
  button.textContent = button.dataset.share ?? ''
  setTimeout(() => {
    button.textContent = word
  }, 3000)
}

const linkAt = ({ target }: MouseEvent, selector: string) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>(selector) : null

/** Whether the click opens the link in another tab or window. */
const isAside = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  ctrlKey || metaKey || shiftKey || altKey
