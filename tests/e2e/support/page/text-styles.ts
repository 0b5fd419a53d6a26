/**
 * Runs in the page: waits until colors stop changing, then returns the look of each text and field.
 * A look is everything that affects contrast: color, size, weight, and the layers behind and above.
 */
export async function collectTextStyles(): Promise<string[]> {
  const frame = () => new Promise((next) => requestAnimationFrame(next))
  // The page receives a color scheme change in one frame and repaints in the next.
  await frame()
  await frame()
  // Colors in the middle of a transition would fail the contrast check.
  const transitions = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
  await Promise.allSettled(transitions.map(({ finished }) => finished))

  const painted = new Map<Element, string>()
  /** The paint and opacity of an element; most have neither. */
  const paintOf = (element: Element) => {
    const before = painted.get(element)
    if (before !== undefined) return before
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode } = getComputedStyle(element)
    const paint = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join(' ')
    const isNothing = paint === 'rgba(0, 0, 0, 0) none 1 none normal'
    painted.set(element, isNothing ? '' : paint)
    return isNothing ? '' : paint
  }
  const paintsOf = (elements: Element[]) => elements.map(paintOf).filter(Boolean).join(' / ')

  const shown = new Set<Element>(document.querySelectorAll('input, textarea, select'))
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { parentElement, nodeValue } = texts.currentNode
    if (parentElement && nodeValue?.trim()) shown.add(parentElement)
  }
  const looks = new Set<string>()
  for (const element of shown) {
    const [box] = element.getClientRects()
    if (!box) continue
    const ancestors: Element[] = []
    for (let at: Element | null = element; at; at = at.parentElement) ancestors.push(at)
    // Only elements inside the viewport can be found by coordinates.
    const layers = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    const { color, fontSize, fontWeight, textShadow, visibility } = getComputedStyle(element)
    const isDisabled = ancestors.some((one) => one.matches(':disabled, [aria-disabled=true]'))
    const own = [element.className, color, fontSize, fontWeight, textShadow, visibility, isDisabled]
    looks.add([...own, paintsOf(ancestors), paintsOf(layers)].join('; '))
  }
  return [...looks]
}
