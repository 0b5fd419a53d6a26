import type { Page } from '@playwright/test'

/**
 * Labels and sentences of a field that something covers once the field has the focus, when the label had just gone under
 * the bar above.
 */
export function hiddenLabels(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    const dialog = document.querySelector('[role="dialog"]')
    const place = dialog ?? document
    const scroller = dialog ?? document.documentElement
    const bar = place.querySelector('header')
    for (const field of place.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input, textarea, select',
    )) {
      // A field that has the focus already is not brought into view again.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      const label = field.labels?.[0]
      if (bar && label)
        scroller.scrollTop += label.getBoundingClientRect().top - bar.getBoundingClientRect().bottom + 12
      field.focus()
      if (document.activeElement !== field) continue
      const ids = (field.getAttribute('aria-describedby') ?? '').split(' ')
      const sentences = ids.map((id) => document.getElementById(id))
      for (const words of [...(field.labels ?? []), ...sentences]) {
        const { left, top, width, height } = words?.getBoundingClientRect() ?? new DOMRect()
        // Said to screen readers only.
        if (!words || width < 2 || height < 2) continue
        const seen = document.elementFromPoint(left + 2, top + Math.min(height / 2, 4))
        // A switch lies over its words, so that a tap on them is one on it.
        if (seen && (words.contains(seen) || seen.contains(words) || seen === field)) continue
        found.add(`"${words.textContent}" is hidden while its field has the focus`)
      }
    }
    return [...found]
  })
}
