import type { Page } from '@playwright/test'
import { demoCars, demoTrades } from '../../../../server/commands/seed/demo-cars.ts'
import { demoPeople } from '../../../../server/commands/seed/demo-people.ts'

// Functions that run in the page must not contain named functions: tsx would wrap those in a helper
// that the page does not have.

/** Returns horizontal overflow: the page, a dialog, a button's text, or the first unclipped box. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement
    const found: string[] = []
    if (root.scrollWidth > root.clientWidth)
      found.push(`the page is ${root.scrollWidth - root.clientWidth} px too wide`)
    for (const one of document.querySelectorAll('[role="dialog"], [role="dialog"] *'))
      if (one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX))
        found.push(`in a dialog, ${one.tagName} ${one.className} scrolls sideways`)
    // Text for screen readers only is one pixel wide.
    for (const text of document.querySelectorAll('button span, a span'))
      if (
        text.clientWidth > 1 &&
        text.scrollWidth > text.clientWidth + 1 &&
        getComputedStyle(text).overflowX === 'hidden'
      )
        found.push(`"${text.textContent}" is cut off in its button`)
    for (const one of document.body.querySelectorAll('*')) {
      const { width, height, right } = one.getBoundingClientRect()
      let isClipped = width === 0 || height === 0 || right <= root.clientWidth + 1
      for (let outer = one.parentElement; outer && !isClipped; outer = outer.parentElement)
        isClipped = getComputedStyle(outer).overflowX !== 'visible'
      if (isClipped) continue
      found.push(`${one.tagName} ${one.className} sticks out by ${Math.round(right - root.clientWidth)} px`)
      break
    }
    return found
  })
}

/** Words of people: names, models, trims, colors, dealers, and some of their sentences. */
const peoplesWords = [
  ...Object.values(demoPeople).flatMap(({ firstName, lastName }) => [firstName, lastName]),
  ...Object.values({ ...demoCars, ...demoTrades }).flatMap(({ carModel, trim, color }) => [
    ...carModel.split(' '),
    ...trim.split(/[ /]/),
    ...color.split(' '),
  ]),
  ...['AutoNation', 'Saturday', 'lien', 'camper', 'Broadway', 'maya', 'elena', 'marcus', 'grace'],
].filter(
  (word) =>
    /^[A-Za-z]{4,}$/.test(word) && !['Price', 'Blue', 'Black', 'White', 'Three', 'Plus'].includes(word),
)
const longWord = 35

/** Returns horizontal overflow while each word that a person has typed has 35 letters. */
export async function findOverflowOfLongWords(page: Page): Promise<string[]> {
  const words = [...new Set(peoplesWords)]
  await page.evaluate(
    ([words, length]) => {
      const long = new RegExp(`\\b(${words.join('|')})\\b`, 'g')
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      window.shortTexts = []
      while (texts.nextNode()) {
        const node = texts.currentNode
        const text = node.nodeValue ?? ''
        if (!long.test(text) || node.parentElement?.closest('script, style, textarea, option')) continue
        window.shortTexts.push([node, text])
        node.nodeValue = text.replace(long, (word) => word.repeat(length).slice(0, length))
      }
    },
    [words, longWord] as const,
  )
  const found = await findOverflow(page)
  await page.evaluate(() => {
    for (const [node, text] of window.shortTexts) node.nodeValue = text
  })
  return found.map((fault) => `with long words, ${fault}`)
}

declare global {
  interface Window {
    shortTexts: [node: Node, text: string][]
  }
}

/** Fixed and sticky bars may take a third of a low window. */
export function findOversizedBars(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    document.documentElement.scrollTop = (document.documentElement.scrollHeight - window.innerHeight) / 2
    const step = 8
    const bars = new Map<Element, number>()
    for (let y = 0; y < window.innerHeight; y += step) {
      let bar = document.elementFromPoint(window.innerWidth / 2, y)
      while (bar && !/fixed|sticky/.test(getComputedStyle(bar).position)) bar = bar.parentElement
      // A dialog is fixed as a whole.
      if (bar && !bar.matches('dialog, :has([role="dialog"])')) bars.set(bar, (bars.get(bar) ?? 0) + step)
    }
    const filled = [...bars.values()].reduce((sum, height) => sum + height, 0)
    if (filled <= window.innerHeight / 3) return []
    const list = [...bars].map(([bar, height]) => `${bar.className} with ${height} px`).join(', ')
    return [`bars fill ${filled} of ${window.innerHeight} px: ${list}`]
  })
}
