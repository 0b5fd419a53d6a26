import { whenIdle } from './idle.ts'

/**
 * Draws what the style sheet has left for later, one part a frame: at once it would hold up a tap, and until it is drawn its
 * height is a guess, so that the page is not as long as it looks.
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
