/** Something on a page, drawn below what stands there. */
export type Block = { height: number; draw: () => void }

/** Below each other, and never apart. */
export const stack = (...blocks: readonly Block[]): Block => ({
  height: blocks.reduce((sum, { height }) => sum + height, 0),
  draw: () => {
    for (const { draw } of blocks) draw()
  },
})

type Tall = { height: number }

/**
 * Divides blocks among as few pages as hold them, each filled about as far as the others: no page with two lines behind a
 * full one. A block that is taller than a page begins one of its own.
 */
export function balanced<Each extends Tall>(blocks: readonly Each[], room: number): Each[][] {
  const fewest = filled(blocks, room).length
  let [low, high] = [0, room]
  // To the point: the lowest filling that needs no more pages.
  while (high - low > 1) {
    const middle = (low + high) / 2
    if (filled(blocks, middle).length > fewest) low = middle
    else high = middle
  }
  return filled(blocks, high)
}

function filled<Each extends Tall>(blocks: readonly Each[], limit: number): Each[][] {
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
