import type { Block } from './pdf-blocks.ts'
import type { PdfDocument } from './pdf-document.ts'

type Tall = { height: number }

/** Draws the blocks on as few pages as they need, each starting at `top`. */
export function drawBalanced(
  doc: PdfDocument,
  blocks: readonly Block[],
  { top, room }: { top: number; room: number },
): void {
  for (const [number, page] of balancePages(blocks, room).entries()) {
    if (number > 0) doc.addPage()
    doc.y = top
    for (const block of page) block.draw()
  }
}

/** Draws headers and footers, skipped by screen readers, on all pages, which must exist. */
export function drawOnAllPages(doc: PdfDocument, draw: (page: number, of: number) => void): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // Inside the margins a text would begin a new page.
    doc.page.margins.top = 0
    doc.page.margins.bottom = 0
    doc.markContent('Artifact', { type: 'Pagination' })
    draw(page - start + 1, count)
    doc.endMarkedContent()
  }
}

/**
 * Divides blocks among as few pages as possible, each filled about equally, so that no page holds
 * only two lines. A block that is taller than a page begins a new one.
 */
export function balancePages<Each extends Tall>(blocks: readonly Each[], room: number): Each[][] {
  const fewest = fillPages(blocks, room).length
  let [low, high] = [0, room]
  // Bisects to the lowest fill height that needs no more pages.
  while (high - low > 1) {
    const middle = (low + high) / 2
    if (fillPages(blocks, middle).length > fewest) low = middle
    else high = middle
  }
  return fillPages(blocks, high)
}

function fillPages<Each extends Tall>(blocks: readonly Each[], limit: number): Each[][] {
  const pages: Each[][] = []
  let used = Number.POSITIVE_INFINITY
  for (const block of blocks) {
    if (used + block.height > limit) {
      pages.push([])
      used = 0
    }
    pages.at(-1)?.push(block)
    used += block.height
  }
  return pages
}
