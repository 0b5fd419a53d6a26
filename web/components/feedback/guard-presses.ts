/** Milliseconds in which a new button of a dialog takes no press (R-everywhere-56). */
export const guardMs = 500

let lastClick: PointerEvent | undefined
if (typeof window !== 'undefined')
  window.addEventListener(
    'click',
    (event) => {
      lastClick = event
    },
    true,
  )

/**
 * Makes a dialog ignore the rest of the press that opened it: a second tap, a held key, a mouse that
 * has not moved. A new button in an open dialog starts the time again. Used as a ref of an element
 * inside the dialog.
 */
export function guardPresses(inside: HTMLElement | null) {
  const dialog = inside?.closest<HTMLElement>('[role="dialog"]')
  if (!dialog) return
  const listening = new AbortController()
  let frame = 0
  let timer = 0
  let readyAt = 0
  let opener = lastClick
  let pressedAt: number | null = null
  let isRepeated = false

  const arm = () => {
    moveDangerAway(dialog, lastClick)
    // The listener below decides; this is for the pointer, and for tools that wait for a button.
    dialog.dataset.guarded = ''
    readyAt = Number.POSITIVE_INFINITY
    cancelTimers()
    // A busy device paints late.
    frame = requestAnimationFrame(() => {
      readyAt = performance.now() + guardMs
      timer = window.setTimeout(() => delete dialog.dataset.guarded, guardMs)
    })
  }
  const cancelTimers = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
  const on = <Name extends keyof WindowEventMap>(name: Name, act: (event: WindowEventMap[Name]) => void) =>
    window.addEventListener(name, act, { capture: true, signal: listening.signal })

  on('pointerdown', ({ timeStamp }) => {
    pressedAt = timeStamp
  })
  on('pointermove', (event) => {
    if (opener && !isSamePoint(event, opener)) opener = undefined
  })
  on('keydown', ({ key, repeat, timeStamp }) => {
    isRepeated = repeat && (key === 'Enter' || key === ' ')
    if (!repeat) pressedAt = timeStamp
    opener = undefined
  })
  // A person who has typed, dictated or pasted something means the press that follows.
  on('input', () => {
    opener = undefined
  })
  on('wheel', () => {
    opener = undefined
  })
  on('keyup', () => {
    isRepeated = false
    // After the click that a released space bar causes.
    setTimeout(() => {
      pressedAt = null
    })
  })
  on('click', (event) => {
    const isEarly = (pressedAt ?? event.timeStamp) < readyAt
    const isUnmoved =
      event.pointerType === 'mouse' && opener !== undefined && isSamePoint(event, opener) && !isOnLink(event)
    pressedAt = null
    if (!isEarly && !isRepeated && !isUnmoved) return
    event.preventDefault()
    event.stopImmediatePropagation()
  })
  const watcher = new MutationObserver((changes) => {
    if (changes.some(({ addedNodes }) => [...addedNodes].some(hasNewButton))) arm()
  })
  watcher.observe(dialog, { childList: true, subtree: true })
  arm()
  return () => {
    listening.abort()
    watcher.disconnect()
    cancelTimers()
  }
}

/** The rows of a list, such as messages and photos, come and go beside the dialog's own buttons. */
const hasNewButton = (node: Node) =>
  node instanceof Element &&
  !node.closest('li') &&
  (node.matches('button, a') || node.querySelector('button, a') !== null)

/** A link confirms nothing. */
const isOnLink = ({ target }: Event) => target instanceof Element && target.closest('a') !== null

const isSamePoint = (one: MouseEvent, other: MouseEvent) =>
  one.screenX === other.screenX && one.screenY === other.screenY

/** A button that destroys something changes places where it would lie under the press that opened it. */
function moveDangerAway(dialog: HTMLElement, opener: PointerEvent | undefined): void {
  dialog.querySelector('[data-swapped]')?.removeAttribute('data-swapped')
  const danger = dialog.querySelector('[data-danger]')
  if (!danger || !opener || opener.detail === 0) return
  const { left, right, top, bottom } = danger.getBoundingClientRect()
  const { clientX: x, clientY: y } = opener
  const isUnder = x > left - fingerPx && x < right + fingerPx && y > top - fingerPx && y < bottom + fingerPx
  danger.parentElement?.toggleAttribute('data-swapped', isUnder)
}

/** Half the distance between two buttons: a second tap rarely hits the same pixel. */
const fingerPx = 6
