import { runWhenIdle } from './run-when-idle.ts'

/**
 * Renders the deferred parts, one per frame, because all at once would delay a tap. Until then
 * their heights are estimates.
 */
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
