import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { BrowserContext, Locator, Page } from '@playwright/test'
import type { Name } from '../../server/seed/people.ts'
import type { World } from './world.ts'

/** Whose browser it is: a demo person's, somebody's without an account, or one that only the administrator uses. */
export type Who = Name | 'nobody' | 'administrator'

export type Shot = {
  /** Names the picture: `wizard-5-errors`. */
  name: string
  as: Who
  at: string | ((world: World, profile: BrowserContext) => string | Promise<string>)
  /** Before the page is opened: what the network shall do wrong. */
  before?: (page: Page, world: World) => Promise<unknown>
  /** What is opened, typed or pressed once the page is there. */
  act?: (page: Page, world: World) => Promise<unknown>
  /** What tells that it is the right picture; waited for, and without it the shot has failed. */
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

/** The person's browser is the administrator's, too. */
export async function becomeAdministrator(page: Page, { product }: World): Promise<void> {
  const { admin } = accountTexts
  const { username, password } = product.administrator
  await page.goto('/dev')
  await fill(page, { [admin.username]: username, [admin.password]: password })
  await press(page, admin.submit)
  await page.getByRole('heading', { name: admin.mails }).waitFor()
}
