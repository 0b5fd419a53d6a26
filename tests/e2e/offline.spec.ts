import type { Locator } from '@playwright/test'
import {
  deliverPush,
  denyNotifications,
  replacePushService,
  shownNotifications,
  tapNotification,
} from './support/browser-push.ts'
import { button } from './support/concurrent-changes.ts'
import { answerButton, answerQuestion, expectAnswered } from './support/deal.ts'
import { signInAs } from './support/demo.ts'
import { dispatchVisibilityChange, whileOffline, withoutResponses } from './support/network.ts'
import { startNetworkProxy } from './support/network-proxy.ts'
import { openCard } from './support/page/open-card.ts'
import { fillIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { withoutPreloadedResponses } from './views/view.ts'

const offlineMessage = 'Keyturn cannot be reached. Please check your connection and try again.'

// R-everywhere-26
test('keeps typed values when a form is sent offline, and sends it with one click when online again', async ({
  openProfile,
}) => {
  const nora = await openProfile()
  const { page } = nora

  await test.step('signs in', async () => {
    await page.goto('/login')
    await fillIn(page, { Email: 'nora@example.com', Password: 'silver-lantern-58' })
    await whileOffline(nora, async () => {
      await button(page, 'Log In').click()
      await expect(page.getByText(offlineMessage)).toBeVisible()
      await expect(page.getByLabel('Email', { exact: true })).toHaveValue('nora@example.com')
      await expect(page.getByLabel('Password', { exact: true })).toHaveValue('silver-lantern-58')
    })
    // An overloaded server has not compared the password, so nothing is said about it (F11).
    nora.watch.allowErrors(/^POST \/auth\/login 503$/)
    await page.route('**/auth/login', (route) => route.fulfill({ status: 503 }))
    await button(page, 'Log In').click()
    await expect(page.getByRole('alert')).toContainText('Please try again')
    await expect(page.getByText('Invalid email or password.')).toBeHidden()
    await page.unroute('**/auth/login')
    await button(page, 'Log In').click()
    await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
  })

  await test.step('adds a car', async () => {
    await page.goto('/car/input')
    await fillIn(page, {
      'Vehicle Identification Number (VIN)': '1FAFP404X1F123456',
      Make: 'Ford',
      Model: 'Mustang',
      Year: '2001',
      Mileage: '120000',
      Color: 'Red',
      Trim: 'GT',
      'A message for the buyer (optional)': 'New tyres, one small dent.',
    })
    await page.getByRole('radio', { name: 'No', exact: true }).check()
    await page.getByRole('button', { name: 'Add Car' }).click()
    const confirm = page.getByRole('button', { name: 'Confirm', exact: true })
    const failed = page.getByRole('dialog', { name: 'Car not added' })
    const resend = async () => {
      await failed.getByRole('button', { name: 'Try Again' }).click()
      await expect(page.getByLabel('Model', { exact: true })).toHaveValue('')
      await page.getByRole('button', { name: 'Put back what I typed' }).click()
      await page.getByRole('button', { name: 'Add Car' }).click()
    }
    await whileOffline(nora, async () => {
      await confirm.click()
      await expect(failed).toContainText(offlineMessage)
    })
    await resend()
    // The car is added but the response is lost. Sending the same again must not fail because the car is listed.
    await withoutResponses(nora, '**/cars/input', async () => {
      await confirm.click()
      await expect(failed).toContainText(offlineMessage)
    })
    await resend()
    await confirm.click()
    await expect(page.getByRole('heading', { name: 'Car Added Successfully!' })).toBeVisible()
    await page.getByRole('link', { name: 'Share with your buyer' }).click()
    await expect(page.getByText('New tyres, one small dent.')).toBeVisible()
  })

  await test.step('changes its price', async () => {
    await page.getByRole('button', { name: 'Edit price' }).click()
    await fillIn(page, { 'New asking price': '6100' })
    await whileOffline(nora, async () => {
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText(offlineMessage)).toBeVisible()
      await expect(page.getByLabel('New asking price')).toHaveValue('6,100')
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('$6,100').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Edit price' })).toBeVisible()
  })

  await test.step('edits the profile', async () => {
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
    await fillIn(dialog, { 'Phone Number': '612-555-0140' })
    await whileOffline(nora, async () => {
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog.getByText(offlineMessage)).toBeVisible()
      await expect(dialog.getByLabel('Phone Number')).toHaveValue('612-555-0140')
    })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('612-555-0140')).toBeVisible()
  })
})

// R-deals-13, R-everywhere-26
test('continues a purchase at the step where it went offline, and sends its request once', {
  tag: '@full',
}, async ({ openProfile }) => {
  const linkTo = await signInAs('daniel', await openProfile())
  const omar = await openProfile()
  const { page } = omar
  await signInAs('omar', omar)
  // A failed save is shown on the page and logged (R-deals-13).
  omar.watch.allowErrors(/^Progress could not be saved: Offline/)

  await test.step('answers a question', async () => {
    await page.goto(`/buyer?${linkTo('silverado')}`)
    await expect(answerButton(page, 'No')).toBeVisible()
    await whileOffline(omar, async () => {
      await answerQuestion(page, 'Do You Have A Trade?', 'No')
      await expect(page.getByText(offlineMessage)).toBeVisible()
      await expectAnswered(page, 'No')
    })
    // A pending read may have failed too, and shows its own button until it succeeds.
    await button(page.getByRole('alert').filter({ hasText: 'This could not be saved.' }), 'Try Again').click()
    await answerQuestion(page, 'Do You Need Financing?', 'No')
  })

  await test.step('requests the car, but the response is lost', async () => {
    await fillIn(page, { 'Agreed price': '12300' })
    await withoutResponses(omar, '**/cars/request', async () => {
      await page.getByRole('button', { name: 'Submit Request' }).click()
      // An event tells the page that the request was stored, and the page goes to the next stage.
      await expect(page.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    })
    await openCard(page, 'Timeline')
    await expect(page.getByText('Submitted a request')).toHaveCount(1)
  })

  await test.step('signs', async () => {
    await page.getByRole('button', { name: 'Sign Agreement' }).click()
    const agreement = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
    await fillIn(agreement, { Name: 'Omar Haddad', Signature: 'O. Haddad' })
    await whileOffline(omar, async () => {
      await agreement.getByRole('button', { name: 'I Agree' }).click()
      await expect(agreement.getByText(offlineMessage)).toBeVisible()
      await expect(agreement.getByLabel('Signature', { exact: true })).toHaveValue('O. Haddad')
    })
    await agreement.getByRole('button', { name: 'I Agree' }).click()
    await expect(page.getByRole('heading', { name: 'You have signed.' })).toBeVisible()
    await openCard(page, 'Timeline')
    await expect(page.getByText('Signed as buyer')).toHaveCount(1)
  })
})

test('keeps loaded content in place on a phone while offline, and lets all of it scroll into view', {
  tag: '@full',
}, async ({ openProfile }) => {
  const maya = await openProfile({ viewport: { width: 360, height: 640 } })
  const link = await signInAs('maya', maya)
  const { page, watch } = maya
  const notice = page.getByText('We could not refresh this.')
  const last = page.getByRole('button', { name: /^Timeline: / }).last()
  // The browser may round off a pixel at the end of the scroll range.
  const expectTop = async (before: number) => expect(Math.abs((await topOf(last)) - before)).toBeLessThan(2)
  // The notice appears only if data was already loaded.
  const read = page.waitForResponse('**/notifications*')
  await page.goto(`/car/seller?${link('f150')}`)
  await read
  await expect(last).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(scrollToEnd)
  const before = await topOf(last)
  let scrolled = 0

  await whileOffline(maya, async () => {
    await page.evaluate(dispatchVisibilityChange)
    await expect(notice).toBeVisible()
    await expectTop(before)
    await page.evaluate(scrollToEnd)
    await expect.poll(() => last.evaluate(isUncovered)).toBe(true)
    scrolled = await topOf(last)
  })
  // The browser's `online` event triggers the refetch.
  await expect(notice).toBeHidden()
  await expectTop(scrolled)

  await test.step('repeats failed reads when the network is available again', async () => {
    const isCarRequest = (url: URL) => /^\/(cars|progress)\b/.test(url.pathname)
    let lastLostAt = 0
    watch.allowFailedRequests(true)
    await page.route(isCarRequest, (route) => {
      lastLostAt = Date.now()
      return route.abort('internetdisconnected')
    })
    await page.evaluate(dispatchVisibilityChange)
    await expect(notice).toBeVisible()
    // After two quiet seconds, only the retry under test can cause a read.
    await expect.poll(() => Date.now() - lastLostAt > 2_000).toBe(true)
    await page.unroute(isCarRequest)
    await expect(notice).toBeHidden()
    watch.allowFailedRequests(false)
  })
})

// R-everywhere-36
test('reports that a screen cannot be loaded, and loads it once it can', {
  tag: '@full',
}, async ({ openProfile }) => {
  const nora = await openProfile()
  const { page, watch } = nora
  await signInAs('nora', nora)
  const failure = page.getByRole('heading', { name: 'This page could not be loaded' })
  const open = async (to: string) => {
    await button(page, 'My Account').click()
    await page.getByRole('menuitem', { name: to, exact: true }).click()
  }

  await test.step('while offline', async () => {
    // A page with preloaded responses also requests them, and those requests could be pending when
    // it goes offline.
    await withoutPreloadedResponses(page)
    await page.goto('/home')
    await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
    await whileOffline(nora, async () => {
      await open('Profile')
      await expect(failure).toBeVisible()
      await button(page, 'Try Again').click()
      await expect(failure).toBeVisible()
      await expect(button(page, 'My Account')).toBeVisible()
    })
    await expect(page.getByRole('heading', { name: 'Your Profile' })).toBeVisible()
  })

  await test.step('while its files cannot be loaded, inside and outside the app’s frame', async () => {
    watch.allowFailedRequests(true)
    await page.route(/assets\/(settings|reset-password-screen)-.*\.js/, (route) => route.abort())
    await open('Settings')
    await expect(failure).toBeVisible()
    await page.goto('/password/reset')
    await expect(failure).toBeVisible()
    await page.unrouteAll()
    await button(page, 'Try Again').click()
    await expect(page.getByRole('heading', { name: 'Invalid Link' })).toBeVisible()
  })

  await test.step('while the app cannot be loaded', async () => {
    await page.route(/assets\/index-.*\.js/, (route) => route.abort())
    await page.goto('/password/reset')
    await expect(page.getByRole('heading', { name: 'Keyturn can’t be reached' })).toBeVisible()
    await page.unrouteAll()
    await button(page, 'Try Again').click()
    await expect(page.getByRole('heading', { name: 'Invalid Link' })).toBeVisible()
    watch.allowFailedRequests(false)
  })
})

// R-everywhere-41, R-notifications-25, R-notifications-26
test('starts offline, shows pushes, stores no personal data and updates when the person reloads', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const network = await startNetworkProxy(product.origin)
  const nora = await openProfile({ baseURL: network.origin, serviceWorkers: 'allow' })
  const { page, context, watch } = nora
  const browser = await replacePushService(context)
  await signInAs('nora', nora)
  const failure = page.getByRole('heading', { name: 'Keyturn can’t be reached' })
  const dashboard = page.getByRole('heading', { name: 'Dashboard', exact: true })
  const newer = page.getByText('A new version is ready.')

  await test.step('stores only the files of one build', async () => {
    await page.goto('/home')
    await expect(dashboard).toBeVisible()
    await page.evaluate(() => navigator.serviceWorker.ready)
    // The first page was loaded before the service worker started, this one goes through it.
    await page.goto('/home')
    await expect(dashboard).toBeVisible()
    await page.goto('/profile')
    await expect(page.getByText('nora@example.com')).toBeVisible()
    const stored = await page.evaluate(readCaches)
    expect(stored.length).toBeGreaterThan(30)
    const files = /^\/(assets\/[\w.-]+\.(js|css|woff2)|shell\.html|offline\.html|[\w-]+\.(js|svg))$/
    expect(stored.filter(({ path }) => !files.test(path))).toEqual([])
    expect(stored.filter(({ text }) => /nora@example\.com/i.test(text))).toEqual([])
  })

  const pushSwitch = page.getByRole('switch', { name: 'Notify me on this computer' })
  const kinds = page.getByRole('heading', { name: 'What they notify you about' })
  await test.step('turns push notifications on only after a click', async () => {
    await denyNotifications(page)
    await button(page, 'My Account').click()
    await page.getByRole('menuitem', { name: 'Settings', exact: true }).click()
    await expect(page.getByText('Notifications from Keyturn are blocked in this browser.')).toBeVisible()
    await expect(pushSwitch).toBeDisabled()
    await context.grantPermissions(['notifications'], { origin: network.origin })
    await page.reload()
    await expect(pushSwitch).not.toBeChecked()
    expect(browser.endpoint()).toBeNull()
    await pushSwitch.click()
    await expect(pushSwitch).toBeChecked()
    await expect(kinds).toBeVisible()
    expect(browser.endpoint()).not.toBeNull()
    // The next page binds the subscription to its session.
    const renewed = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.reload()
    expect((await renewed).status()).toBe(200)
    await expect(pushSwitch).toBeChecked()
  })

  await test.step('replaces an older notification with the same tag, and opens its page on a tap', async () => {
    const push = { id: 'a'.repeat(24), tag: 'b'.repeat(24), path: '/profile', rings: false }
    await deliverPush(page, { ...push, body: 'Ben Buyer offers $9,000 for your car.' })
    await deliverPush(page, { ...push, body: 'Ben Buyer offers $9,100 for your car.' })
    await expect
      .poll(() => shownNotifications(page))
      .toEqual([{ title: 'Keyturn', body: 'Ben Buyer offers $9,100 for your car.', tag: push.tag }])
    await tapNotification(context)
    await expect(page.getByRole('heading', { name: 'Your Profile' })).toBeVisible()
    expect(await shownNotifications(page)).toEqual([])
  })

  await test.step('starts offline', async () => {
    watch.allowFailedRequests(true)
    await network.disconnect()
    await page.goto('/home')
    await expect(failure).toBeVisible()
    await network.reconnect()
    await expect(dashboard).toBeVisible()
    await network.disconnect()
    await page.goto('/privacy')
    await expect(failure).toBeVisible()
    await network.reconnect()
    await button(page, 'Try Again').click()
    await expect(page.getByRole('heading', { name: 'Privacy Policy' })).toBeVisible()
    watch.allowFailedRequests(false)
  })

  await test.step('activates a rebuilt service worker of the same version automatically', async () => {
    await page.goto('/car/input')
    await fillIn(page, { Make: 'Ford' })
    network.rewriteServiceWorker((script) => `${script}\n// built again`)
    await page.evaluate(updateServiceWorker)
    await expect(newer).toBeHidden()
  })

  await test.step('does not activate another version until a person who is filling in a form agrees', async () => {
    network.rewriteServiceWorker((script) =>
      script.replace(/\{[^{}]*\/assets\/index-[\w-]+\.js[^{}]*\},/, ''),
    )
    await page.evaluate(() => Object.assign(window, { isOld: true }))
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    await expect(newer).toBeVisible()
    await expect(page.getByLabel('Make', { exact: true })).toHaveValue('Ford')
    expect(await page.evaluate(() => 'isOld' in window)).toBe(true)
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => page.evaluate(() => 'isOld' in window).catch(() => true)).toBe(false)
    await expect(page.getByLabel('Make', { exact: true })).toHaveValue('Ford')
  })

  await test.step('deletes the caches and the subscription at sign-out', async () => {
    await button(page, 'My Account').click()
    await page.getByRole('menuitem', { name: 'Log Out', exact: true }).click()
    await expect(button(page, 'Log In')).toBeVisible()
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([])
    await expect.poll(() => browser.endpoint()).toBeNull()
  })
  await network.close()
})

// R-everywhere-41
test('installs with Download App when the browser can prompt, and shows instructions when it cannot', {
  tag: '@full',
}, async ({ openProfile }) => {
  const { page, context } = await openProfile()
  const download = page.getByRole('link', { name: 'Download App' })
  await page.goto('/')
  await download.click()
  await expect(page.getByRole('heading', { name: 'On an iPhone or iPad' })).toBeInViewport()
  await expect(page.getByText('Choose Install app or Add to Home screen.')).toBeVisible()

  const prompts = await page.evaluateHandle(() => {
    const prompts: string[] = []
    const prompt = async () => prompts.push('prompt')
    dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }))
    return prompts
  })
  await page.goto('/#')
  await download.click()
  expect(await prompts.jsonValue()).toEqual(['prompt'])
  expect(new URL(page.url()).hash).toBe('')

  const devtools = await context.newCDPSession(page)
  expect((await devtools.send('Page.getAppManifest')).errors).toEqual([])
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // Playwright's contexts are incognito windows.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})

const scrollToEnd = () => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })

const topOf = (locator: Locator) => locator.evaluate((element) => element.getBoundingClientRect().top)

/** Whether a tap on its center hits the element. */
const isUncovered = (element: Element) => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}

/** Returns paths and contents of all cached responses. */
const readCaches = async () => {
  const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
  const responses = opened.map(async (cache) =>
    Promise.all(
      (await cache.keys()).map(async (request) => ({
        path: new URL(request.url).pathname,
        text: (await (await cache.match(request))?.text()) ?? '',
      })),
    ),
  )
  return (await Promise.all(responses)).flat()
}

const updateServiceWorker = async () => {
  const { serviceWorker } = navigator
  const changed = new Promise((done) =>
    serviceWorker.addEventListener('controllerchange', done, { once: true }),
  )
  await (await serviceWorker.ready).update()
  await changed
}
