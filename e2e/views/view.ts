import type { Page } from '@playwright/test'

/** A page as somebody has it before them. */
export type View = {
  path: string
  /** Stands there once everything has arrived. */
  shows: string | RegExp
  /** What is opened on it (a dialog, a menu, the messages of a form), and how. */
  open?: Opening
}
type Opening = { what: string; by: (page: Page) => Promise<unknown> }

/** By one button after the other. */
export const press = (...names: (string | RegExp)[]): Opening => ({
  what: names.join(', '),
  by: async (page) => {
    for (const name of names) await page.getByRole('button', { name, exact: true }).first().click()
  },
})
