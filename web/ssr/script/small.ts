/** The bar is flat until the page scrolls under it (R-everywhere-29). */
export function castShadow(): void {
  const header = document.querySelector('header')
  const look = () => header?.setAttribute('data-scrolled', String(scrollY > 20))
  // With the first frame: asked for before, the page would be laid out once more.
  requestAnimationFrame(look)
  addEventListener('scroll', look, { passive: true })
}

/** A tapped link was heard (R-everywhere-35). */
export function announceLeaving(): void {
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

/** Where a link leads into something folded, it is unfolded first; not every browser does that by itself. */
export function unfoldWhatIsLinked(): void {
  addEventListener('click', (event) => unfold(linkAt(event, 'a[href^="#"]')?.hash))
  unfold(location.hash)
}

function unfold(hash = ''): void {
  const folded = document.getElementById(hash.slice(1))?.closest('details')
  if (folded) folded.open = true
}

/** To the previous page of ours; from elsewhere to where the link leads. */
export function goBack(): void {
  addEventListener('click', (event) => {
    if (!linkAt(event, 'a[data-back]') || isAside(event) || !cameFromOurs()) return
    event.preventDefault()
    history.back()
  })
}

/** Browsers without the interface do not tell whose the previous page was. */
function cameFromOurs(): boolean {
  const { navigation } = window as { navigation?: { canGoBack: boolean } }
  return navigation ? navigation.canGoBack : history.length > 1
}

/** By the phone's own sheet, else into the clipboard. */
export function sharePage(): void {
  addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-share]') : null
    if (!button) return
    const { title, location } = document
    const done = navigator.share
      ? navigator.share({ title, url: location.href })
      : navigator.clipboard.writeText(location.href).then(() => say(button))
    await done.catch(() => {
      // Called off, or forbidden: nothing has happened, and nothing is said.
    })
  })
}

function say(button: HTMLElement): void {
  const word = button.textContent
  button.textContent = button.dataset.share ?? ''
  setTimeout(() => {
    button.textContent = word
  }, 3000)
}

const linkAt = ({ target }: MouseEvent, selector: string) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>(selector) : null

/** Into another tab or window. */
const isAside = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  ctrlKey || metaKey || shiftKey || altKey
