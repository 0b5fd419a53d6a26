import { isAppPage, preloadedResponsesId } from '@keyturn/contract/shared/pages.ts'
import type { BrowserContext, Locator, Page, Route } from '@playwright/test'
import type { Name } from '../../../server/commands/seed/people.ts'
import type { World } from './world.ts'

/**
 * The person signed in to the browser: a demo person, a visitor without a session, the administrator
 * only, or a person who registers during the test.
 */
export type Who = Name | 'nobody' | 'administrator' | 'newcomer'

/** A page in one of its states for one viewer: checked by axe and captured as a screenshot. */
export type View = {
  /** Unique, such as `wizard-5-errors`. */
  name: string
  as: Who
  at: string | ((world: World, profile: BrowserContext) => string | Promise<string>)
  /** Simulates network failures; runs before the page opens. */
  before?: (page: Page, world: World) => Promise<unknown>
  /** Opens, types or presses something after the page has loaded. */
  act?: (page: Page, world: World) => Promise<unknown>
  /** Identifies the state; if it does not appear, the view was not reached. */
  shows: (page: Page) => Locator
  /** Expected error responses, such as `POST /auth/login 401`. */
  expects?: RegExp[]
  /** The state is short-lived, so it is set up again for each screenshot. */
  passes?: boolean
  /** Also captured in its print layout. */
  print?: boolean
  /** The view shows a skeleton on purpose. */
  waits?: boolean
}

/** The states of one page as one person sees them. */
export const viewsOf = (as: Who, at: View['at'], states: Omit<View, 'as' | 'at'>[]): View[] =>
  states.map((state) => ({ as, at, ...state }))

/** Removes preloaded responses (R-everywhere-44), so that the page has to send the requests. */
export const withoutFirstAnswers = (page: Page): Promise<unknown> =>
  page.route(
    ({ pathname }) => isAppPage(pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      const block = new RegExp(`<script [^>]*id="${preloadedResponsesId}">.*?</script>`, 's')
      return route.fulfill({ response, body: (await response.text()).replace(block, '') })
    },
  )

/** Intercepts a request whose response the page would otherwise preload. */
export const holds = (path: string | RegExp, answer: (route: Route) => unknown) => async (page: Page) => {
  await withoutFirstAnswers(page)
  await page.route(path, answer)
}

/** Intercepts a request. */
export const routes = (path: string | RegExp, answer: (route: Route) => unknown) => (page: Page) =>
  page.route(path, answer)

export const fails = (route: Route) => route.abort()
export const neverAnswers = () => {}
export const answersWith = (json: unknown) => (route: Route) => route.fulfill({ json })

export const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name, ...(typeof name === 'string' && { exact: true }) }).first()

export const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first()

export const dialog = (name?: string | RegExp) => (page: Page) =>
  page.getByRole('dialog', name === undefined ? {} : { name })

export const alert = (where: Page | Locator) => where.getByRole('alert')
export const button = (name: string | RegExp) => (where: Page | Locator) =>
  where.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).first()
export const link = (name: string) => (page: Page) => page.getByRole('link', { name }).first()
export const tab = (name: string) => (page: Page) => page.getByRole('tab', { name })
export const menuItem = (name: string | RegExp) => (page: Page) => page.getByRole('menuitem', { name })

export const press = (where: Page | Locator, name: string | RegExp) => button(name)(where).click()

/** Fills fields by their exact labels. */
export async function fill(page: Page | Locator, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).first().fill(value)
}

/** Presses one button after the other. */
export const presses =
  (...names: (string | RegExp)[]) =>
  async (page: Page | Locator) => {
    for (const name of names) await press(page, name)
  }

/** Fills fields, then presses one button after the other. */
export const fills =
  (fields: Record<string, string>, ...names: (string | RegExp)[]) =>
  async (page: Page | Locator) => {
    await fill(page, fields)
    await presses(...names)(page)
  }

export const clicks = (target: (page: Page) => Locator) => (page: Page) => target(page).click()

/** Does it in the dialog that is open. */
export const inDialog = (act: (dialog: Locator) => Promise<unknown>) => (page: Page) =>
  act(page.getByRole('dialog'))

/** One after the other. */
export const inOrder =
  (...acts: NonNullable<View['act']>[]) =>
  async (page: Page, world: World) => {
    for (const act of acts) await act(page, world)
  }

/** Chooses from a menu, such as a row's. */
export const choosesFrom = (menu: string | RegExp, entry: string | RegExp) =>
  inOrder(presses(menu), clicks(menuItem(entry)))
