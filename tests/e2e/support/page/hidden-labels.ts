import type { Page } from '@playwright/test'

/**
 * Returns labels and hints that are covered after their field gets the focus. Before that, the label
 * is scrolled just under the top bar.
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
      // A field that already has the focus would not scroll into view.
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
        // For screen readers only.
        if (!words || width < 2 || height < 2) continue
        const seen = document.elementFromPoint(left + 2, top + Math.min(height / 2, 4))
        // A switch covers its text, so that a tap on the text toggles it.
        if (seen && (words.contains(seen) || seen.contains(words) || seen === field)) continue
        found.add(`"${words.textContent}" is hidden while its field has the focus`)
      }
    }
    return [...found]
  })
}
