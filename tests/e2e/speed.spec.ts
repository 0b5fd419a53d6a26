import type { Route } from '@playwright/test'
import { demoPeople, type Name } from '../../server/commands/seed/people.ts'
import { answerQuestion } from './support/deal.ts'
import { type LinkTo, signInAs } from './support/demo.ts'
import { expectHeading } from './support/page/heading.ts'
import { emulateSlowPhone, isSlow, limit, measureTaps, type Tap } from './support/page/taps.ts'
import { fillIn } from './support/person.ts'
import { expect, test } from './support/test.ts'

// R-everywhere-35
test('on a poor line every tap of a purchase shows a sign within 100 ms', { tag: '@full' }, async ({
  openProfile,
}) => {
  const ofMaya = await signInAs('maya', await openProfile())
  const grace = await openProfile({ viewport: { width: 360, height: 740 }, hasTouch: true })
  await signInAs('grace', grace)
  const { page } = grace
  const taps = await measureTaps(page)
  await emulateSlowPhone(page)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

  await page.goto(`/car?${ofMaya('camry')}`)
  await page.getByRole('link', { name: 'Buy This Car' }).click()
  await answerQuestion(page, 'Do You Have A Trade?', 'No')
  await expectHeading(page, 'Do You Need Financing?')
  await press('Back')
  await answerQuestion(page, 'Do You Have A Trade?', 'No')
  await answerQuestion(page, 'Do You Need Financing?', 'No')
  await fillIn(page, { 'Agreed price': '17500' })
  await press('Submit Request')
  await expectHeading(page, 'Read and sign')
  await press('Sign Agreement')
  const agreement = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
  await fillIn(agreement, { Name: 'Grace Kim', Signature: 'G. Kim' })
  await agreement.getByRole('button', { name: 'I Agree' }).click()
  await expect(agreement).toBeHidden()
  await page.getByRole('link', { name: 'Keyturn' }).first().click()
  await expectHeading(page, 'Purchase Dashboard')
  await page.getByRole('button', { name: 'My Account' }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await expectHeading(page, 'Your Profile')

  const found = await taps()
  process.stdout.write(`Until a tap shows a sign: ${found.map(inWords).join(', ')}\n`)
  // The tap that leaves the car's page is gone with its document; the test below sees its sign.
  expect(found.length).toBeGreaterThanOrEqual(10)
  expect(found.filter(isSlow), `at most ${limit.ms} ms or ${limit.frames} frames`).toEqual([])
})

const inWords = ({ what, ms, frames }: Tap) => `${what.slice(0, 24)} ${ms} ms (frames: ${frames})`

// R-everywhere-35
test('what a link leads to is fetched before anybody taps it; a tap that has to wait shows a line', {
  tag: '@full',
}, async ({ openProfile }) => {
  const { page } = await openProfile()
  const line = page.locator('[data-progress=navigation]')
  const held = holding()

  await test.step('in the app: the screen', async () => {
    const code = /\/assets\/forgot-screen-.*\.js$/
    await page.route(code, held.until)
    const asked = page.waitForRequest(code)
    await page.goto('/password/reset?code=x&exp=1')
    await asked
    await expect(line).toBeHidden()
    await page.getByRole('link', { name: 'Resend Link' }).click()
    await expect(line).toBeVisible()
    held.letGo()
    await expectHeading(page, 'Forgot password')
    await expect(line).toBeHidden()
  })

  await test.step('on a page from the server: what the next one needs', async () => {
    const asked = page.waitForRequest(/\/assets\/forms-.*\.js$/)
    await page.goto('/')
    await asked
    await expect(line).toBeHidden()
    const document = holding()
    await page.route('**/login', document.until)
    // Nothing can be asked of a page that is being left, so it tells by itself.
    const isShown = line.evaluate(
      (element) =>
        new Promise<boolean>((resolve) => {
          const look = new MutationObserver(() => resolve(!element.hasAttribute('hidden')))
          look.observe(element, { attributes: true })
        }),
    )
    const tap = page.getByRole('link', { name: 'Log In' }).first().click()
    expect(await isShown).toBe(true)
    document.letGo()
    await tap
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
    await expect(line).toBeHidden()
  })
})

// R-everywhere-43
test('what is typed and pressed before the script of a form has arrived is kept and done', {
  tag: '@full',
}, async ({ openProfile }) => {
  const { page } = await openProfile()
  const script = holding()
  await page.route(/\/assets\/forms-.*\.js$/, script.until)
  await page.goto('/login', { waitUntil: 'commit' })
  const { email, password } = demoPeople.nora
  await fillIn(page, { Email: email, Password: password })
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page.locator('[data-progress=navigation]')).toBeVisible()
  await expect(page).toHaveURL('/login')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(password)
  script.letGo()
  await expectHeading(page, 'Dashboard')
})

// R-everywhere-40
test('what is pressed before the script of a page has arrived is done when it has', { tag: '@full' }, async ({
  openProfile,
}) => {
  const { page } = await openProfile({ colorScheme: 'light' })
  const script = holding()
  await page.route(/\/assets\/rendered-.*\.js$/, script.until)
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByText('Dark', { exact: true }).click()
  await expect(page.locator('[data-progress=navigation]')).toBeVisible()
  script.letGo()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(page.getByLabel('Dark', { exact: true })).toBeChecked()
})

// R-everywhere-44
test('the first screen of who has a session comes with the page, and waits for no call', {
  tag: '@full',
}, async ({ openProfile }) => {
  const opens = async (name: Name, shows: (link: LinkTo) => [path: string, words: string][]) => {
    const profile = await openProfile()
    const link = await signInAs(name, profile)
    profile.watch.allowFailedRequests(true)
    // No request gets a response.
    await profile.page.route('**/*', (route) =>
      route.request().headers().accept === 'application/json' ? undefined : route.continue(),
    )
    for (const [path, words] of shows(link)) {
      await profile.page.goto(path)
      await expect(profile.page.getByText(words).first()).toBeVisible()
    }
    await profile.page.unrouteAll({ behavior: 'ignoreErrors' })
    return link
  }
  const ofMaya = await opens('maya', (link) => [
    ['/home', 'Camry SE'],
    [`/car/seller?${link('camry')}`, '2019 Toyota Camry'],
  ])
  await opens('elena', () => [[`/buyer?${ofMaya('civic')}`, 'Honda Civic']])
  await opens('marcus', () => [['/trade', 'Forester']])
  await opens('victor', () => [['/wholesaler', 'CR-V']])

  await test.step('but nothing of somebody else than the one whom the browser remembers', async () => {
    const profile = await openProfile()
    await signInAs('maya', profile)
    await profile.page.addInitScript(() => localStorage.setItem('keyturn-person', 'somebody else'))
    const asked = profile.page.waitForRequest('**/user')
    await profile.page.goto('/home')
    await asked
  })
})

/** What is asked for arrives once it is let go. */
function holding() {
  let letGo = () => {}
  const gone = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const until = async (route: Route) => {
    await gone
    await route.continue()
  }
  return { until, letGo: () => letGo() }
}
