import { runWhenIdle } from './run-when-idle.ts'

/** One per frame, because all at once would delay a tap; until then heights are estimates. */
export function renderDeferredParts(): void {
  if (document.readyState === 'complete') renderNext()
  else addEventListener('load', renderNext)
}

function renderNext(): void {
  const part = document.querySelector('[data-later]')
  if (!part) return
  runWhenIdle(() => {
    part.removeAttribute('data-later')
    requestAnimationFrame(renderNext)
  })
}
