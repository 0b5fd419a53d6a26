import type { BrowserContext, Locator, Page } from '@playwright/test'
import type { Name } from '../../server/seed/people.ts'
import type { World } from './world.ts'

/**
 * Whose browser it is: a demo person's, somebody's without an account, one that only the administrator uses, or one in
 * which somebody registers on the way.
 */
export type Who = Name | 'nobody' | 'administrator' | 'newcomer'

/** A page in one of its states, as somebody has it before them: axe looks at it, and its pictures are taken. */
export type View = {
  /** No other view's: `wizard-5-errors`. */
  name: string
  as: Who
  /** The person's browser is the administrator's, too. */
  administers?: boolean
  at: string | ((world: World, profile: BrowserContext) => string | Promise<string>)
  /** Before the page is opened: what the network shall do wrong. */
  before?: (page: Page, world: World) => Promise<unknown>
  /** What is opened, typed or pressed once the page is there. */
  act?: (page: Page, world: World) => Promise<unknown>
  /** What tells that it is the right state; waited for, and without it the view was not reached. */
  shows: (page: Page) => Locator
  /** Answers it provokes on purpose, as `POST /auth/login 401`. */
  expects?: RegExp[]
  /** What passes by itself after a moment is brought about anew for each picture. */
  passes?: boolean
  /** How it looks on paper. */
  print?: boolean
  /** A skeleton that is meant to be seen. */
  waits?: boolean
}

export const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name, ...(typeof name === 'string' && { exact: true }) }).first()

export const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first()

export const dialog = (name: string | RegExp) => (page: Page) => page.getByRole('dialog', { name })

export const press = (page: Page | Locator, name: string | RegExp) =>
  page
    .getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
    .first()
    .click()

/** Fills fields by their labels, letter for letter. */
export async function fill(page: Page | Locator, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).first().fill(value)
}

/** Presses one button after the other. */
export const presses =
  (...names: (string | RegExp)[]) =>
  async (page: Page) => {
    for (const name of names) await press(page, name)
  }

/** Fills fields, then presses one button after the other. */
export const fills =
  (fields: Record<string, string>, ...names: (string | RegExp)[]) =>
  async (page: Page) => {
    await fill(page, fields)
    await presses(...names)(page)
  }
