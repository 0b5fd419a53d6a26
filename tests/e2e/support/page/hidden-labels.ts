import type { Page } from '@playwright/test'

/**
 * Scrolls each label behind the top bar, focuses its field, and returns the labels and hints that
 * stay covered.
 */
export function hiddenLabels(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    // A dialog may cover a sheet.
    const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1)
    const container = dialog ?? document
    const scroller = dialog ?? document.documentElement
    const bar = container.querySelector('header')
    for (const field of container.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input, textarea, select',
    )) {
      // `focus()` does not scroll to a field that already has the focus.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      const label = field.labels?.[0]
      if (bar && label)
        scroller.scrollTop += label.getBoundingClientRect().top - bar.getBoundingClientRect().bottom + 12
      field.focus()
      if (document.activeElement !== field) continue
      const ids = (field.getAttribute('aria-describedby') ?? '').split(' ')
      const sentences = ids.map((id) => document.getElementById(id))
      for (const label of [...(field.labels ?? []), ...sentences]) {
        const { left, top, width, height } = label?.getBoundingClientRect() ?? new DOMRect()
        // Text for screen readers only.
        if (!label || width < 2 || height < 2) continue
        const seen = document.elementFromPoint(left + 2, top + Math.min(height / 2, 4))
        // A switch covers its text, so that a tap on the text toggles it.
        if (seen && (label.contains(seen) || seen.contains(label) || seen === field)) continue
        found.add(`"${label.textContent}" is hidden while its field has the focus`)
      }
    }
    return [...found]
  })
}
