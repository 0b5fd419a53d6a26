import type { BrowserContext, Page } from '@playwright/test'
import { demoPeople } from '../../../server/commands/seed/demo-people.ts'
import { signInAs } from '../support/demo.ts'
import { dispatchVisibilityChange } from '../support/network.ts'
import { expectHeading } from '../support/page/heading.ts'
import { administratorSignInErrors } from '../support/page/watch-context.ts'
import { aPerson, fillAccountForm, fillIn, signIn, signOut } from '../support/person.ts'
import { expect, test } from '../support/test.ts'
import { withoutPreloadedResponses } from '../views/view.ts'

// R-safe-15
test('keeps two tabs signed in, and signs both out together', { tag: '@full' }, async ({ openProfile }) => {
  const nora = await openProfile()
  const { page: one, context, watch } = nora
  await signInAs('nora', nora)
  // A tab may send these between the expiry of its access token and its reload. The event stream is
  // one of them if the tab that holds it for both is reloaded first.
  watch.allowErrors(/^GET \/(events|notifications(\/unread)?) 401$/)
  await one.goto('/home')
  await expectHeading(one, 'Dashboard')
  const other = await context.newPage()
  await other.goto('/profile')
  await expectHeading(other, 'Your Profile')
  const renewals = collectStatuses('/auth/refresh', context)

  for (let round = 1; round <= 5; round++) {
    await dropAccessCookie(context)
    await Promise.all([one.reload(), other.reload()])
    await expectHeading(one, 'Dashboard')
    await expectHeading(other, 'Your Profile')
    await expect(other.getByText('nora@example.com')).toBeVisible()
    expect(new Set(renewals), `round ${round}`).toEqual(new Set([200]))
    expect(renewals.length, `round ${round}`).toBeLessThanOrEqual(2 * round)
  }

  await signOut(one)
  await expectHeading(other, 'Log In')
})

// R-accounts-31
test('renews a session once when several requests find it expired', async ({ openProfile }) => {
  const elena = await openProfile()
  const { page, context, watch } = elena
  await signInAs('elena', elena)
  watch.allowErrors(/^GET \S+ 401$/)
  await withoutPreloadedResponses(page)
  const read = firstReads(page)
  await page.goto('/home?view=buying')
  await read
  await expect(page.getByText('Not requested yet').first()).toBeVisible()
  const renewals = collectStatuses('/auth/refresh', context)
  const statuses = collectStatuses('/', context)
  await page.route('**/auth/refresh', async (route) => {
    await expect.poll(() => countUnauthorized(statuses)).toBeGreaterThan(2)
    await route.continue()
  })

  await dropAccessCookie(context)
  await refetch(page)
  await expect.poll(() => renewals).toEqual([200])
  await expectRetried(statuses)
  expect(renewals).toEqual([200])
})

test('reports on the page that waits for verification that signing out failed', { tag: '@full' }, async ({
  openProfile,
}) => {
  const { page, watch } = await openProfile()
  await page.goto('/register/seller')
  await fillAccountForm(page, aPerson('Finn', 'Roe'))
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectHeading(page, 'Verify your email')
  watch.allowFailedRequests(true)
  await page.route('**/auth/logout', (route) => route.abort())
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page.getByRole('alert')).toContainText('You are still signed in.')
})

test('signs the administrator in at the dealer desk, and again after the session has ended', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { page, context, watch } = await openProfile()
  watch.allowErrors(/^GET \/desk\S* 401$/, ...administratorSignInErrors)
  const submitSignIn = async () => {
    await expect(page.getByRole('heading', { name: 'Built-in dealer desk' })).toBeVisible()
    await fillIn(page, { Username: product.administrator.username, Password: product.administrator.password })
    await page.getByRole('button', { name: 'Log In' }).click()
    await expect(page.getByRole('heading', { name: 'Waiting' })).toBeVisible()
  }
  const response = page.waitForResponse('**/auth/admin/refresh')
  await page.goto('/dealer')
  await response
  await submitSignIn()

  await context.clearCookies()
  await refetch(page)
  await submitSignIn()
  expect(new URL(page.url()).pathname).toBe('/dealer')
})

// R-accounts-31
test('returns to the page with the typed values when a person signs in again after the session ended', async ({
  openProfile,
}) => {
  const maya = await openProfile()
  const { page, context, watch } = maya
  watch.allowErrors(/^GET \S+ 401$/)
  const camry = (await signInAs('maya', maya))('camry')

  await test.step('restores a form', async () => {
    await page.goto('/car/input')
    await fillIn(page, {
      Make: 'Ford',
      Mileage: '120000',
      'A message for the buyer (optional)': 'One small dent.',
    })
    await context.clearCookies()
    await refetch(page)
    await expectHeading(page, 'Log In')
    await submitSignIn(page, demoPeople.maya)
    await expectHeading(page, 'Add A Car')
    await expect(page.getByLabel('Make')).toHaveValue('Ford')
    await expect(page.getByLabel('Mileage')).toHaveValue('120,000')
    await expect(page.getByLabel('A message for the buyer')).toHaveValue('One small dent.')
  })

  await test.step('restores a form after a reload, and deletes the draft at sign-out', async () => {
    await page.reload()
    await expect(page.getByLabel('Make')).toHaveValue('Ford')
    await signOut(page)
    await submitSignIn(page, demoPeople.maya)
    await page.goto('/car/input')
    await expect(page.getByLabel('Make')).toHaveValue('')
  })

  await test.step('shows the sign-in page and not the public page at a car’s path', async () => {
    await page.goto(`/car/seller?${camry}`)
    await page.getByRole('button', { name: 'Edit price' }).click()
    await fillIn(page, { 'New asking price': '17250' })
    await context.clearCookies()
    await refetch(page)
    await expectHeading(page, 'Log In')
    await submitSignIn(page, demoPeople.maya)
    await expect(page).toHaveURL(`/car/seller?${camry}`)
    await page.getByRole('button', { name: 'Edit price' }).click()
    await expect(page.getByLabel('New asking price')).toHaveValue('17,250')
  })

  await test.step('renews a session that began on this page', async () => {
    const renewals = collectStatuses('/auth/refresh', context)
    await dropAccessCookie(context)
    await refetch(page)
    await expect.poll(() => renewals).toEqual([200])
  })
})

// R-accounts-21
test('reports at /home that the user cannot be loaded, and continues on its own', {
  tag: '@full',
}, async ({ openProfile }) => {
  const { page, watch } = await openProfile()
  watch.allowErrors(/^GET \/user (401|503)$/)
  await page.goto('/login')
  await withoutPreloadedResponses(page)
  await page.route('**/user', (route) => route.fulfill({ status: 503, body: '{}' }))
  await fillIn(page, { Email: demoPeople.nora.email, Password: demoPeople.nora.password })
  await page.getByRole('button', { name: 'Log In' }).click()
  await expectHeading(page, 'Keyturn can’t be reached')
  await expect(page).toHaveURL('/home')
  await page.unroute('**/user')
  await expectHeading(page, 'Dashboard')
})

// R-accounts-31
test('notices in a signed-out tab that another tab has signed in', { tag: '@full' }, async ({
  openProfile,
}) => {
  const { page, context } = await openProfile()
  await page.goto('/profile')
  await expectHeading(page, 'Log In')
  const other = await context.newPage()
  await signIn(other, demoPeople.nora)
  await expectHeading(other, 'Dashboard')
  await expect(page.getByText('You are signed in as Nora Lindqvist.')).toBeVisible()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expectHeading(page, 'Your Profile')
})

/** Waits for a dashboard's requests, because React Query does not repeat a pending one. */
const firstReads = (page: Page) =>
  Promise.all(
    ['**/notifications*', '**/notifications/unread', /\/cars\/[0-9a-f]{24}$/].map(async (path) =>
      (await page.waitForResponse(path)).finished(),
    ),
  )

/** Browsers drop the access cookie after ten minutes. */
const dropAccessCookie = (context: BrowserContext) => context.clearCookies({ name: /at$/ })

const refetch = (page: Page) => page.evaluate(dispatchVisibilityChange)

async function submitSignIn(page: Page, { email, password }: { email: string; password: string }) {
  await fillIn(page, { Email: email, Password: password })
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
}

/** Each request that got a 401 was repeated after the single renewal. */
const expectRetried = (statuses: number[]) =>
  expect
    .poll(() => statuses.length - 1 - countUnauthorized(statuses))
    .toBeGreaterThanOrEqual(countUnauthorized(statuses))

const countUnauthorized = (statuses: number[]) => statuses.filter((status) => status === 401).length

/** Collects the statuses of responses to requests whose path begins with `path`. */
function collectStatuses(path: string, context: BrowserContext): number[] {
  const statuses: number[] = []
  context.on('response', (response) => {
    const isFetch = response.request().resourceType() === 'fetch'
    if (isFetch && new URL(response.url()).pathname.startsWith(path)) statuses.push(response.status())
  })
  return statuses
}
