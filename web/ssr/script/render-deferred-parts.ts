import { runWhenIdle } from './run-when-idle.ts'

/**
 * Renders one part per frame, because rendering all together would delay a tap. Until then, heights
 * are estimates.
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
