import { isAppPage, preloadedResponsesId } from '@keyturn/contract/shared/pages.ts'
import { type BrowserContext, expect, type Locator, type Page, type Route } from '@playwright/test'
import type { DemoPersonName } from '../../../server/commands/seed/demo-people.ts'
import type { World } from './world.ts'

/**
 * The person signed in to the browser: a demo person, a visitor without a session, the
 * administrator only, or a person who registers during the test.
 */
export type ViewPerson = DemoPersonName | 'nobody' | 'administrator' | 'newcomer'

/**
 * A page in one of its states, as one viewer sees it. Axe checks each view, and screenshots show
 * it.
 */
export type View = {
  /** A unique name, such as `wizard-5-errors`. */
  name: string
  as: ViewPerson
  at: string | ((world: World, profile: BrowserContext) => string | Promise<string>)
  /** Simulates network failures; runs before the page opens. */
  before?: (page: Page, world: World) => Promise<unknown>
  /** Opens, types or presses something after the page has loaded. */
  act?: (page: Page, world: World) => Promise<unknown>
  /** The component of the dialog that `act` opens and whose button decides something. */
  confirms?: string
  /** Identifies the state; if it does not appear, the view was not reached. */
  shows: (page: Page) => Locator
  /** Expected error responses, such as `POST /auth/login 401`. */
  allowedErrors?: RegExp[]
  /** The state is short-lived, so it is reached again for each screenshot. */
  isTransient?: boolean
  /** Also captured in its print layout. */
  print?: boolean
  /** The view shows a skeleton or a loader on purpose. */
  isLoading?: boolean
}

/** The states of one page, as one person sees them. */
export const viewsOf = (as: ViewPerson, at: View['at'], states: Omit<View, 'as' | 'at'>[]): View[] =>
  states.map((state) => ({ as, at, ...state }))

/** Removes preloaded responses (R-everywhere-44), so that the page has to send the requests. */
export const withoutPreloadedResponses = (page: Page): Promise<unknown> =>
  page.route(
    ({ pathname }) => isAppPage(pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      const block = new RegExp(`<script [^>]*id="${preloadedResponsesId}">.*?</script>`, 's')
      return route.fulfill({ response, body: (await response.text()).replace(block, '') })
    },
  )

/** Intercepts a request whose response is otherwise part of the page. */
export const interceptPreloaded =
  (path: string | RegExp, answer: (route: Route) => unknown) => async (page: Page) => {
    await withoutPreloadedResponses(page)
    await page.route(path, answer)
  }

export const intercept = (path: string | RegExp, answer: (route: Route) => unknown) => (page: Page) =>
  page.route(path, answer)

export const abortRequest = (route: Route) => route.abort()
export const neverRespond = () => {}
export const respondWith = (json: unknown) => (route: Route) => route.fulfill({ json })

export const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name, ...(typeof name === 'string' && { exact: true }) }).first()

export const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first()

export const dialog = (name?: string | RegExp) => (page: Page) =>
  page.getByRole('dialog', name === undefined ? {} : { name })

export const alert = (container: Page | Locator) => container.getByRole('alert')
export const button = (name: string | RegExp) => (container: Page | Locator) =>
  container.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).first()
export const link = (name: string) => (page: Page) => page.getByRole('link', { name }).first()
export const tab = (name: string) => (page: Page) => page.getByRole('tab', { name })
export const menuItem = (name: string | RegExp) => (page: Page) => page.getByRole('menuitem', { name })

export const pressButton = (container: Page | Locator, name: string | RegExp) =>
  button(name)(container).click()

export async function fillFields(page: Page | Locator, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).first().fill(value)
    // A look-up that is still running would fill in the next field at the same time.
    if (label.endsWith('(VIN)'))
      await expect(page.locator('button[aria-busy="true"]')).toHaveCount(0, { timeout: 20_000 })
  }
}

/** Presses buttons in order. */
export const press =
  (...names: (string | RegExp)[]) =>
  async (page: Page | Locator) => {
    for (const name of names) await pressButton(page, name)
  }

/** Fills in fields, then presses buttons in order. */
export const fill =
  (fields: Record<string, string>, ...names: (string | RegExp)[]) =>
  async (page: Page | Locator) => {
    await fillFields(page, fields)
    await press(...names)(page)
  }

export const click = (target: (page: Page) => Locator) => (page: Page) => target(page).click()

/** Runs an action in the open dialog. */
export const inDialog = (act: (dialog: Locator) => Promise<unknown>) => (page: Page) =>
  act(page.getByRole('dialog'))

/** Runs actions in order. */
export const inSequence =
  (...acts: NonNullable<View['act']>[]) =>
  async (page: Page, world: World) => {
    for (const act of acts) await act(page, world)
  }

/** Chooses from a menu, such as a row's. */
export const choose = (menu: string | RegExp, entry: string | RegExp) =>
  inSequence(press(menu), click(menuItem(entry)))
