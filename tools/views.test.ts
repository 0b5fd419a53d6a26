import type { BrowserContext } from '@playwright/test'
import { expect, test } from 'vitest'
import { appPages, gatedPages, isRenderedPage, renderedPages } from '../contract/shared/pages.ts'
import { stopPath } from '../server/platform/mail/stop-links.ts'
import type { View } from '../tests/e2e/views/view.ts'
import { mutatingViews, readOnlyViews } from '../tests/e2e/views/views.ts'
import type { World } from '../tests/e2e/views/world.ts'
import { router } from '../web/routes.tsx'

const views = [...readOnlyViews, ...mutatingViews]

/** Pages that only redirect have no screen. */
const screens = Object.values(router.routesByPath)
  .filter((route) => route.options.component)
  .map((page) => page.fullPath)
/** One page is outside of the app: emails link to it, and it needs no session. */
const pages = [...new Set<string>([...screens, ...renderedPages, stopPath])]

// R-everywhere-15
test('knows the path of each page of the app on the server', () => {
  const paths = Object.values(router.routesByPath).map(({ fullPath }) => fullPath.replace(/\$(\w+)/g, ':$1'))
  expect(paths.filter((path) => !isRenderedPage(path)).sort()).toEqual([...appPages].sort())
})

// R-accounts-24
test('knows on the server which pages require a session', () => {
  const gated = Object.values(router.routesByPath)
    .filter(({ id }) => id.startsWith('/signed-in/'))
    .map(({ fullPath }) => fullPath)
  expect(gated.sort()).toEqual([...gatedPages].sort())
})

test('has a view for axe and screenshots for every page of the route table', async () => {
  const seen = await Promise.all(readOnlyViews.map(async (view) => pageAt(await pathOf(view))))
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.filter((path) => !seen.includes(path))).toEqual([])
})

test('has only views of real pages, since other paths show the landing page', async () => {
  const found = await Promise.all(views.map(async (view) => pageAt(await pathOf(view))))
  expect(views.filter((_, i) => found[i] === undefined).map(({ name }) => name)).toEqual([])
})

test('lists every view once, with a unique name', async () => {
  expect(twice(views.map(({ name }) => name))).toEqual([])
  const untouched = views.filter(({ act, before, print }) => !(act || before || print))
  const states = untouched.map(async (view) => [view.as, await pathOf(view)].join(' '))
  expect(twice(await Promise.all(states))).toEqual([])
})

/** Returns the page at a path; exact paths win over paths with parameters. */
function pageAt(address: string): string | undefined {
  const path = address.split(/[?#]/, 1)[0] ?? ''
  const pattern = (page: string) => new RegExp(`^${page.replace(/\$\w+/g, '[^/]+')}$`)
  return pages.find((page) => page === path) ?? pages.find((page) => pattern(page).test(path))
}

const pathOf = async ({ at }: View): Promise<string> =>
  typeof at === 'string' ? at : await at(somewhere, somebody)

const nothing = async () => undefined

/** A placeholder for every link. */
const somewhere = {
  linkTo: (car) => `?userId=1&vin=${car}`,
  packagePath: async (car) => `/pkg?pkgId=${car}`,
  readResponse: async () => '{}',
  addPhotos: nothing,
  registerNewcomer: async (_, name) => `${name}@example.com`,
  mailedLink: async (email, page = '/email/verify') => `${page}?code=${email}`,
  openProfile: () => Promise.reject(new Error('there is no browser here')),
} satisfies World

const somebody = { request: { get: nothing, post: nothing } } as unknown as BrowserContext

const twice = (names: string[]) => names.filter((name, i) => names.indexOf(name) !== i)
