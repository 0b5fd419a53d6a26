import type { BrowserContext, Page } from '@playwright/test'
import { demoPeople } from '../../../server/commands/seed/people.ts'
import { signInAs } from '../support/demo.ts'
import { dispatchVisibilityChange } from '../support/network.ts'
import { expectHeading } from '../support/page/heading.ts'
import { administratorSignInErrors } from '../support/page/watch.ts'
import { aPerson, fillAccountForm, fillIn, signIn, signOut } from '../support/person.ts'
import { expect, test } from '../support/test.ts'
import { withoutPreloadedResponses } from '../views/view.ts'

// R-safe-15
test('two tabs never sign each other out, and sign out together', { tag: '@full' }, async ({
  openProfile,
}) => {
  const nora = await openProfile()
  const { page: one, context, watch } = nora
  await signInAs('nora', nora)
  // What a tab asks between the end of its ten minutes and its reload, the stream among it when the tab that held it
  // for both is reloaded first.
  watch.allowErrors(/^GET \/(events|notifications(\/unread)?) 401$/)
  await one.goto('/home')
  await expectHeading(one, 'Dashboard')
  const other = await context.newPage()
  await other.goto('/profile')
  await expectHeading(other, 'Your Profile')
  const renewals = answersTo('/auth/refresh', context)

  for (let round = 1; round <= 5; round++) {
    await afterTenMinutes(context)
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
test('however many calls find the session ended, it is renewed once', async ({ openProfile }) => {
  const elena = await openProfile()
  const { page, context, watch } = elena
  await signInAs('elena', elena)
  watch.allowErrors(/^GET \S+ 401$/)
  await withoutPreloadedResponses(page)
  const read = firstReads(page)
  await page.goto('/home?view=buying')
  await read
  await expect(page.getByText('Not requested yet').first()).toBeVisible()
  const renewals = answersTo('/auth/refresh', context)
  const calls = answersTo('/', context)
  await page.route('**/auth/refresh', async (route) => {
    await expect.poll(() => refused(calls)).toBeGreaterThan(2)
    await route.continue()
  })

  await afterTenMinutes(context)
  await comeBack(page)
  await expect.poll(() => renewals).toEqual([200])
  await expectRepeated(calls)
  expect(renewals).toEqual([200])
})

test('who cannot be signed out on the waiting screen reads so', { tag: '@full' }, async ({ openProfile }) => {
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

test('the administrator signs in at the dealer desk itself, again once the session has ended', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { page, context, watch } = await openProfile()
  watch.allowErrors(/^GET \/desk\S* 401$/, ...administratorSignInErrors)
  const signInHere = async () => {
    await expect(page.getByRole('heading', { name: 'Built-in dealer desk' })).toBeVisible()
    await fillIn(page, { Username: product.administrator.username, Password: product.administrator.password })
    await page.getByRole('button', { name: 'Log In' }).click()
    await expect(page.getByRole('heading', { name: 'Waiting' })).toBeVisible()
  }
  const refused = page.waitForResponse('**/auth/admin/refresh')
  await page.goto('/dealer')
  await refused
  await signInHere()

  await context.clearCookies()
  await comeBack(page)
  await signInHere()
  expect(new URL(page.url()).pathname).toBe('/dealer')
})

// R-accounts-31
test('a session that ends leads to signing in and back, with what was typed', async ({ openProfile }) => {
  const maya = await openProfile()
  const { page, context, watch } = maya
  watch.allowErrors(/^GET \S+ 401$/)
  const camry = (await signInAs('maya', maya))('camry')

  await test.step('a form', async () => {
    await page.goto('/car/input')
    await fillIn(page, {
      Make: 'Ford',
      Mileage: '120000',
      'A message for the buyer (optional)': 'One small dent.',
    })
    await context.clearCookies()
    await comeBack(page)
    await expectHeading(page, 'Log In')
    await signInHere(page, demoPeople.maya)
    await expectHeading(page, 'Add A Car')
    await expect(page.getByLabel('Make')).toHaveValue('Ford')
    await expect(page.getByLabel('Mileage')).toHaveValue('120,000')
    await expect(page.getByLabel('A message for the buyer')).toHaveValue('One small dent.')
  })

  await test.step('a reload keeps it too, and signing out forgets it', async () => {
    await page.reload()
    await expect(page.getByLabel('Make')).toHaveValue('Ford')
    await signOut(page)
    await signInHere(page, demoPeople.maya)
    await page.goto('/car/input')
    await expect(page.getByLabel('Make')).toHaveValue('')
  })

  await test.step('an address that names a car leads to signing in too, not to the page for strangers', async () => {
    await page.goto(`/car/seller?${camry}`)
    await page.getByRole('button', { name: 'Edit price' }).click()
    await fillIn(page, { 'New asking price': '17250' })
    await context.clearCookies()
    await comeBack(page)
    await expectHeading(page, 'Log In')
    await signInHere(page, demoPeople.maya)
    await expect(page).toHaveURL(`/car/seller?${camry}`)
    await page.getByRole('button', { name: 'Edit price' }).click()
    await expect(page.getByLabel('New asking price')).toHaveValue('17,250')
  })

  await test.step('the session that began on this page is renewed like any other', async () => {
    const renewals = answersTo('/auth/refresh', context)
    await afterTenMinutes(context)
    await comeBack(page)
    await expect.poll(() => renewals).toEqual([200])
  })
})

// R-accounts-21
test('when nobody can say who has signed in, the page at /home says so and goes on by itself', {
  tag: '@full',
}, async ({ openProfile }) => {
  const { page, watch } = await openProfile()
  watch.allowErrors(/^GET \/user (401|503)$/)
  await page.goto('/login')
  await withoutPreloadedResponses(page)
  await page.route('**/user', (route) => route.fulfill({ status: 503, body: '{}' }))
  await fillIn(page, { Email: demoPeople.nora.email, Password: demoPeople.nora.password })
  await page.getByRole('button', { name: 'Log In' }).click()
  await expectHeading(page, 'Keyturn is out of reach')
  await expect(page).toHaveURL('/home')
  await page.unroute('**/user')
  await expectHeading(page, 'Dashboard')
})

// R-accounts-31
test('a tab of nobody’s notices that another tab has signed in', { tag: '@full' }, async ({
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

/** What a dashboard reads when it opens. React Query does not repeat a request that is still under way. */
const firstReads = (page: Page) =>
  Promise.all(
    ['**/notifications*', '**/notifications/unread', /\/cars\/[0-9a-f]{24}$/].map(async (path) =>
      (await page.waitForResponse(path)).finished(),
    ),
  )

/** After ten minutes the browser drops the access cookie. */
const afterTenMinutes = (context: BrowserContext) => context.clearCookies({ name: /at$/ })

/** Coming back to a tab refetches everything it shows. */
const comeBack = (page: Page) => page.evaluate(dispatchVisibilityChange)

async function signInHere(page: Page, { email, password }: { email: string; password: string }) {
  await fillIn(page, { Email: email, Password: password })
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
}

/** Each refused call was repeated after the single renewal, and answered. */
const expectRepeated = (calls: number[]) =>
  expect.poll(() => calls.length - 1 - refused(calls)).toBeGreaterThanOrEqual(refused(calls))

const refused = (answers: number[]) => answers.filter((status) => status === 401).length

/** Collects the status of every answer from now on to calls whose path begins with `path`. */
function answersTo(path: string, context: BrowserContext): number[] {
  const statuses: number[] = []
  context.on('response', (response) => {
    const isCall = response.request().resourceType() === 'fetch'
    if (isCall && new URL(response.url()).pathname.startsWith(path)) statuses.push(response.status())
  })
  return statuses
}
