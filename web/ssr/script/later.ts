import { whenIdle } from './idle.ts'

/**
 * Renders the deferred parts, one per frame, because all at once would delay a tap. Until then
 * their heights are estimates.
 */
export function drawLater(): void {
  if (document.readyState === 'complete') drawNext()
  else addEventListener('load', drawNext)
}

function drawNext(): void {
  const part = document.querySelector('[data-later]')
  if (!part) return
  whenIdle(() => {
    part.removeAttribute('data-later')
    requestAnimationFrame(drawNext)
  })
}
