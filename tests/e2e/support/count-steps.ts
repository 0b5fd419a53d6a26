import { expect, type Page } from '@playwright/test'

/** The clicks that a person made, and the fields that they typed into. */
export type Steps = { clicks: string[]; fields: string[] }

/**
 * Counts a person's clicks and fields in the page. A click is on a button, link or choice; a field
 * counts once per page. Call it before the page loads.
 */
export async function countSteps(
  page: Page,
): Promise<Steps & { openEmailLink: (link: string) => Promise<void> }> {
  const clicks: string[] = []
  const fields = new Set<string>()
  await page.exposeFunction('recordClick', (name: string) => void clicks.push(name))
  await page.exposeFunction(
    'recordField',
    (name: string, path: string) => void fields.add(`${name} on ${path}`),
  )
  await page.addInitScript(recordSteps)
  return {
    clicks,
    get fields() {
      return [...fields]
    },
    /**
     * Counts as a click. The link opens in a new tab, and the waiting page continues on its own.
     */
    openEmailLink: async (link) => {
      clicks.push('the link in the email')
      const tab = await page.context().newPage()
      await tab.goto(link)
      await expect(tab.getByText('Your email has been verified successfully!')).toBeVisible()
      await tab.close()
    },
  }
}

export const formatSteps = (person: string, { clicks, fields }: Steps) =>
  `${person}: ${clicks.length} clicks (${clicks.join(', ')}), ${fields.length} fields (${fields.join(', ')})\n`

declare global {
  interface Window {
    recordClick(name: string): void
    recordField(name: string, path: string): void
  }
}

function recordSteps() {
  const clickable =
    'a[href], button, summary, label, [role=menuitem], [role=option], [type=checkbox], [type=radio]'
  const nameOf = (element: HTMLElement) => {
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : element
    return (element.getAttribute('aria-label') ?? label?.textContent ?? '').replace(/\s+/g, ' ').slice(0, 40)
  }
  // A click on a label is followed by a click on its field. `pointerdown` fires only once.
  window.addEventListener(
    'pointerdown',
    ({ target, isTrusted }) => {
      const element = target instanceof Element ? target.closest<HTMLElement>(clickable) : null
      if (isTrusted && element) window.recordClick(nameOf(element))
    },
    true,
  )
  window.addEventListener(
    'input',
    ({ target, isTrusted }) => {
      if (!isTrusted || !(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
      if (target.type === 'checkbox' || target.type === 'radio') return
      window.recordField((target.labels?.[0]?.textContent ?? target.name).trim(), location.pathname)
    },
    true,
  )
}
