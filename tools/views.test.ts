import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  appPages,
  isServerRenderedPage,
  protectedPages,
  serverRenderedPages,
} from '@keyturn/contract/shared/pages.ts'
import type { BrowserContext } from '@playwright/test'
import { expect, test } from 'vitest'
import { unsubscribePath } from '../server/platform/mail/unsubscribe-link.ts'
import type { View } from '../tests/e2e/views/view.ts'
import { mutatingViews, readOnlyViews } from '../tests/e2e/views/views.ts'
import type { World } from '../tests/e2e/views/world.ts'
import { router } from '../web/routes.tsx'

const views = [...readOnlyViews, ...mutatingViews]

/** Paths that only redirect have no screen. */
const screens = Object.values(router.routesByPath)
  .filter((route) => route.options.component)
  .map((page) => page.fullPath)
/** Includes the unsubscribe page, which is outside of the app. */
const pages = [...new Set<string>([...screens, ...serverRenderedPages, unsubscribePath])]

// R-everywhere-15
test('lists the paths of all app pages for the server', () => {
  const paths = Object.values(router.routesByPath).map(({ fullPath }) => fullPath.replace(/\$(\w+)/g, ':$1'))
  expect(paths.filter((path) => !isServerRenderedPage(path)).sort()).toEqual([...appPages].sort())
})

// R-accounts-24
test('lists the pages that require a session for the server', () => {
  const gated = Object.values(router.routesByPath)
    .filter(({ id }) => id.startsWith('/signed-in/'))
    .map(({ fullPath }) => fullPath)
  expect(gated.sort()).toEqual([...protectedPages].sort())
})

test('has a view of every page for axe and screenshots', async () => {
  const seen = await Promise.all(readOnlyViews.map(async (view) => pageAt(await pathOf(view))))
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.filter((path) => !seen.includes(path))).toEqual([])
})

test('has only views of existing pages', async () => {
  const found = await Promise.all(views.map(async (view) => pageAt(await pathOf(view))))
  expect(views.filter((_, i) => found[i] === undefined).map(({ name }) => name)).toEqual([])
})

/** Dialogs whose buttons close them or lead on, and the bases of all others. */
const decideNothing = [
  'AgreementDialog',
  'AttemptsDialog',
  'BuyerConfirmed',
  'CarAddedDialog',
  'ConfirmDialog',
  'ConsentCard',
  'EnterVinDialog',
  'FailureDialog',
  'HistoryDialog',
  'MailDialog',

  'NoCarDialog',
  'SaleStepsButton',
  'ScanDialog',
  'ScanVin',
  'TimelineButton',
  'TimelineDialog',
  'TradePhotosDialog',
  'TradeSubmitted',
]

// R-everywhere-56
test('has a view of every dialog that decides something, for the test of double taps', () => {
  const seen = new Set(readOnlyViews.map(({ confirms }) => confirms))
  expect([...new Set(dialogComponents())].filter((name) => !seen.has(name)).sort()).toEqual(decideNothing)
})

// R-everywhere-56
test('builds every dialog on the one that ignores early presses', () => {
  const other = sources().filter(([path, code]) => !ownDialogs.includes(path) && otherDialog.test(code))
  expect(other.map(([path]) => path)).toEqual([])
})
const otherDialog =
  /\b(Modal|Drawer|Dialog|modals)\b[^;]*from '@mantine|<dialog\b|\srole="(alert)?dialog"|window\.(confirm|prompt)\b/
/** The gallery shows photos, and the sheet sends only what was typed in it: both decide nothing. */
const ownDialogs = [
  'components/feedback/dialog.tsx',
  'components/feedback/sheet.tsx',
  'components/display/photo-gallery.tsx',
]

function dialogComponents(): string[] {
  return sources().flatMap(([, code]) => {
    const components = code.split(/^(?=(?:export )?(?:function|const) \w)/m)
    return components
      .filter((component) =>
        /^ *(\{.*&& )?.*<(Confirm|Failure)?Dialog$|<(Confirm|Failure)?Dialog /m.test(component),
      )
      .flatMap((component) => /(?:function|const) (\w+)/.exec(component)?.[1] ?? [])
  })
}

function sources(): [path: string, code: string][] {
  const root = join(import.meta.dirname, '../web')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx') && !path.startsWith('node_modules'))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')])
}

test('lists every view once, with a unique name', async () => {
  expect(duplicates(views.map(({ name }) => name))).toEqual([])
  const untouched = views.filter(({ act, before, print }) => !(act || before || print))
  const states = untouched.map(async (view) => [view.as, await pathOf(view)].join(' '))
  expect(duplicates(await Promise.all(states))).toEqual([])
})

/** Returns the page at a path; exact paths win over paths with parameters. */
function pageAt(address: string): string | undefined {
  const path = address.split(/[?#]/, 1)[0] ?? ''
  const pattern = (page: string) => new RegExp(`^${page.replace(/\$\w+/g, '[^/]+')}$`)
  return pages.find((page) => page === path) ?? pages.find((page) => pattern(page).test(path))
}

const pathOf = async ({ at }: View): Promise<string> =>
  typeof at === 'string' ? at : await at(placeholderWorld, placeholderContext)

const noResult = async () => undefined

const placeholderWorld = {
  linkTo: (car) => `?userId=1&vin=${car}`,
  packagePath: async (car) => `/pkg?pkgId=${car}`,
  readResponse: async () => '{}',
  addPhotos: noResult,
  registerNewcomer: async (_, name) => `${name}@example.com`,
  mailedLink: async (email, page = '/email/verify') => `${page}?code=${email}`,
  openProfile: () => Promise.reject(new Error('there is no browser here')),
} satisfies World

const placeholderContext = { request: { get: noResult, post: noResult } } as unknown as BrowserContext

const duplicates = (names: string[]) => names.filter((name, i) => names.indexOf(name) !== i)
