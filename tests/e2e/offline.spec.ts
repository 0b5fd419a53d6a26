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
import { openNetworkProxy } from './support/network-proxy.ts'
import { fillIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { withoutPreloadedResponses } from './views/view.ts'

const away = 'Keyturn cannot be reached. Please check your connection and try again.'

// R-everywhere-26
test('a form sent while the network is away keeps what was typed, and needs one click when it is back', async ({
  openProfile,
}) => {
  const nora = await openProfile()
  const { page } = nora

  await test.step('signing in', async () => {
    await page.goto('/login')
    await fillIn(page, { Email: 'nora@example.com', Password: 'silver-lantern-58' })
    await whileOffline(nora, async () => {
      await button(page, 'Log In').click()
      await expect(page.getByText(away)).toBeVisible()
      await expect(page.getByLabel('Email', { exact: true })).toHaveValue('nora@example.com')
      await expect(page.getByLabel('Password', { exact: true })).toHaveValue('silver-lantern-58')
    })
    await button(page, 'Log In').click()
    await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
  })

  await test.step('adding a car', async () => {
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
    const confirm = page.getByRole('dialog', { name: 'Confirm Car Details' })
    await whileOffline(nora, async () => {
      await confirm.getByRole('button', { name: 'Confirm' }).click()
      await expect(confirm.getByText(away)).toBeVisible()
      await expect(confirm).toContainText('New tyres, one small dent.')
    })
    // Now it arrives but the answer is lost: the same click once more must not be told that the car is already listed.
    await withoutResponses(nora, '**/cars/input', async () => {
      await confirm.getByRole('button', { name: 'Confirm' }).click()
      await expect(confirm.getByText(away)).toBeVisible()
    })
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('heading', { name: 'Car Added Successfully!' })).toBeVisible()
    await page.getByRole('link', { name: 'Share with your buyer' }).click()
    await expect(page.getByText('New tyres, one small dent.')).toBeVisible()
  })

  await test.step('changing its price', async () => {
    await page.getByRole('button', { name: 'Edit price' }).click()
    await fillIn(page, { 'New asking price': '6100' })
    await whileOffline(nora, async () => {
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText(away)).toBeVisible()
      await expect(page.getByLabel('New asking price')).toHaveValue('6,100')
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('$6,100').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Edit price' })).toBeVisible()
  })

  await test.step('editing the profile', async () => {
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
    await fillIn(dialog, { 'Phone Number': '612-555-0140' })
    await whileOffline(nora, async () => {
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog.getByText(away)).toBeVisible()
      await expect(dialog.getByLabel('Phone Number')).toHaveValue('612-555-0140')
    })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('612-555-0140')).toBeVisible()
  })
})

// R-deals-13, R-everywhere-26
test('the guided purchase goes on where the network left it, and no request is made twice', {
  tag: '@full',
}, async ({ openProfile }) => {
  const ofDaniel = await signInAs('daniel', await openProfile())
  const omar = await openProfile()
  const { page } = omar
  await signInAs('omar', omar)
  // What could not be saved is shown on the page and logged (R-deals-13).
  omar.watch.allowErrors(/^Progress could not be saved: Offline/)

  await test.step('an answer', async () => {
    await page.goto(`/buyer?${ofDaniel('silverado')}`)
    await expect(answerButton(page, 'No')).toBeVisible()
    await whileOffline(omar, async () => {
      await answerQuestion(page, 'Do You Have A Trade?', 'No')
      await expect(page.getByText(away)).toBeVisible()
      await expectAnswered(page, 'No')
    })
    // A read that was under way may have failed too, and has a way on of its own until it is read again.
    await button(page.getByRole('alert').filter({ hasText: 'This could not be saved.' }), 'Try Again').click()
    await answerQuestion(page, 'Do You Need Financing?', 'No')
  })

  await test.step('the request, whose answer got lost on its way back', async () => {
    await fillIn(page, { 'Agreed price': '12300' })
    await withoutResponses(omar, '**/cars/request', async () => {
      await page.getByRole('button', { name: 'Submit Request' }).click()
      // The page learns in another way that the request has arrived, and moves on to the next stage.
      await expect(page.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    })
    await expect(page.getByText('Submitted a request')).toHaveCount(1)
  })

  await test.step('the signature', async () => {
    await page.getByRole('button', { name: 'Sign Agreement' }).click()
    const agreement = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
    await fillIn(agreement, { Name: 'Omar Haddad', Signature: 'O. Haddad' })
    await whileOffline(omar, async () => {
      await agreement.getByRole('button', { name: 'I Agree' }).click()
      await expect(agreement.getByText(away)).toBeVisible()
      await expect(agreement.getByLabel('Signature', { exact: true })).toHaveValue('O. Haddad')
    })
    await agreement.getByRole('button', { name: 'I Agree' }).click()
    await expect(page.getByRole('heading', { name: 'You have signed.' })).toBeVisible()
    await expect(page.getByText('Signed as buyer')).toHaveCount(1)
  })
})

test('on a phone what was loaded stays in place while the network is away, and the notice covers nothing for good', {
  tag: '@full',
}, async ({ openProfile }) => {
  const maya = await openProfile({ viewport: { width: 360, height: 640 } })
  const link = await signInAs('maya', maya)
  const { page, watch } = maya
  const old = page.getByText('We could not bring this up to date.')
  const last = page.getByRole('button', { name: 'Timeline and messages' }).last()
  const expectAt = async (before: number) => expect(Math.abs((await topOf(last)) - before)).toBeLessThan(2)
  // The banner is about loaded data, so wait until there is some.
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
    await expect(old).toBeVisible()
    await expectAt(before)
    await page.evaluate(scrollToEnd)
    await expect.poll(() => last.evaluate(isReached)).toBe(true)
    scrolled = await topOf(last)
  })
  // Automatic: the browser reports that it is online again.
  await expect(old).toBeHidden()
  await expectAt(scrolled)

  await test.step('what could not be brought up to date at once, when the line is back, is asked for again', async () => {
    const isOfTheCar = (url: URL) => /^\/(cars|progress)\b/.test(url.pathname)
    let lastLostAt = 0
    watch.allowFailedRequests(true)
    await page.route(isOfTheCar, (route) => {
      lastLostAt = Date.now()
      return route.abort('internetdisconnected')
    })
    await page.evaluate(dispatchVisibilityChange)
    await expect(old).toBeVisible()
    // Whatever else makes a page read has come to its end by then.
    await expect.poll(() => Date.now() - lastLostAt > 2_000).toBe(true)
    await page.unroute(isOfTheCar)
    await expect(old).toBeHidden()
    watch.allowFailedRequests(false)
  })
})

// R-everywhere-36
test('a screen that was not loaded yet says calmly that it cannot be, and comes when it can', {
  tag: '@full',
}, async ({ openProfile }) => {
  const nora = await openProfile()
  const { page, watch } = nora
  await signInAs('nora', nora)
  const calm = page.getByRole('heading', { name: 'This page could not be loaded' })
  const go = async (to: string) => {
    await button(page, 'My Account').click()
    await page.getByRole('menuitem', { name: to, exact: true }).click()
  }

  await test.step('without a network', async () => {
    // What the page brings along is read again, which could be under way when the network goes.
    await withoutPreloadedResponses(page)
    await page.goto('/home')
    await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
    await whileOffline(nora, async () => {
      await go('Profile')
      await expect(calm).toBeVisible()
      await button(page, 'Try Again').click()
      await expect(calm).toBeVisible()
      await expect(button(page, 'My Account')).toBeVisible()
    })
    await expect(page.getByRole('heading', { name: 'Your Profile' })).toBeVisible()
  })

  await test.step('while its files do not arrive, in the frame and without one', async () => {
    watch.allowFailedRequests(true)
    await page.route(/assets\/(settings|reset-screen)-.*\.js/, (route) => route.abort())
    await go('Settings')
    await expect(calm).toBeVisible()
    await page.goto('/password/reset')
    await expect(calm).toBeVisible()
    await page.unrouteAll()
    await button(page, 'Try Again').click()
    await expect(page.getByRole('heading', { name: 'Invalid Link' })).toBeVisible()
  })

  await test.step('while not even the app arrives', async () => {
    await page.route(/assets\/index-.*\.js/, (route) => route.abort())
    await page.goto('/password/reset')
    await expect(page.getByRole('heading', { name: 'Keyturn is out of reach' })).toBeVisible()
    await page.unrouteAll()
    await button(page, 'Try Again').click()
    await expect(page.getByRole('heading', { name: 'Invalid Link' })).toBeVisible()
    watch.allowFailedRequests(false)
  })
})

// R-everywhere-41, R-notifications-25, R-notifications-26
test('the installed app starts without a network, tells news when asked to, keeps nothing about anybody, and changes versions when told to', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const line = await openNetworkProxy(product.origin)
  const nora = await openProfile({ baseURL: line.origin, serviceWorkers: 'allow' })
  const { page, context, watch } = nora
  const browser = await replacePushService(context)
  await signInAs('nora', nora)
  const calm = page.getByRole('heading', { name: 'Keyturn is out of reach' })
  const dashboard = page.getByRole('heading', { name: 'Dashboard', exact: true })
  const newer = page.getByText('A new version is ready.')

  await test.step('what is kept are the files of one build', async () => {
    await page.goto('/home')
    await expect(dashboard).toBeVisible()
    await page.evaluate(() => navigator.serviceWorker.ready)
    // Pages read before it was there are kept as little as those read through it.
    await page.goto('/home')
    await expect(dashboard).toBeVisible()
    await page.goto('/profile')
    await expect(page.getByText('nora@example.com')).toBeVisible()
    const kept = await page.evaluate(readKept)
    expect(kept.length).toBeGreaterThan(30)
    const files = /^\/(assets\/[\w.-]+\.(js|css|woff2)|shell\.html|offline\.html|[\w-]+\.(js|svg))$/
    expect(kept.filter(({ path }) => !files.test(path))).toEqual([])
    expect(kept.filter(({ text }) => /nora@example\.com/i.test(text))).toEqual([])
  })

  const told = page.getByRole('switch', { name: 'Tell me on this computer' })
  const kinds = page.getByRole('heading', { name: 'What they tell you' })
  await test.step('told on this computer: switched on by a click, by nothing else', async () => {
    await denyNotifications(page)
    await button(page, 'My Account').click()
    await page.getByRole('menuitem', { name: 'Settings', exact: true }).click()
    await expect(page.getByText('Notifications from Keyturn are blocked in this browser.')).toBeVisible()
    await expect(told).toBeDisabled()
    await context.grantPermissions(['notifications'], { origin: line.origin })
    await page.reload()
    await expect(told).not.toBeChecked()
    expect(browser.endpoint()).toBeNull()
    await told.click()
    await expect(told).toBeChecked()
    await expect(kinds).toBeVisible()
    expect(browser.endpoint()).not.toBeNull()
    // The next page ties it to the session that there is then.
    const renewed = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.reload()
    expect((await renewed).status()).toBe(200)
    await expect(told).toBeChecked()
  })

  await test.step('news is shown, the newer in the place of the older, and a tap opens its place', async () => {
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

  await test.step('without a network', async () => {
    watch.allowFailedRequests(true)
    await line.disconnect()
    await page.goto('/home')
    await expect(calm).toBeVisible()
    await line.reconnect()
    await expect(dashboard).toBeVisible()
    await line.disconnect()
    await page.goto('/privacy')
    await expect(calm).toBeVisible()
    await line.reconnect()
    await button(page, 'Try Again').click()
    await expect(page.getByRole('heading', { name: 'Privacy Policy' })).toBeVisible()
    watch.allowFailedRequests(false)
  })

  await test.step('the same version once more takes over by itself', async () => {
    await page.goto('/car/input')
    await fillIn(page, { Make: 'Ford' })
    line.rewriteServiceWorker((script) => `${script}\n// built again`)
    await page.evaluate(takesOver)
    await expect(newer).toBeHidden()
  })

  await test.step('another version waits for the person, whose form is half typed', async () => {
    line.rewriteServiceWorker((script) => script.replace(/\{[^{}]*\/assets\/index-[\w-]+\.js[^{}]*\},/, ''))
    await page.evaluate(() => Object.assign(window, { isOld: true }))
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    await expect(newer).toBeVisible()
    await expect(page.getByLabel('Make', { exact: true })).toHaveValue('Ford')
    expect(await page.evaluate(() => 'isOld' in window)).toBe(true)
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => page.evaluate(() => 'isOld' in window).catch(() => true)).toBe(false)
    await expect(page.getByLabel('Make', { exact: true })).toHaveValue('Ford')
  })

  await test.step('signing out leaves nothing', async () => {
    await button(page, 'My Account').click()
    await page.getByRole('menuitem', { name: 'Log Out', exact: true }).click()
    await expect(button(page, 'Log In')).toBeVisible()
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([])
    await expect.poll(() => browser.endpoint()).toBeNull()
  })
  await line.close()
})

// R-everywhere-41
test('Download App installs where the browser asks, and shows how where it does not', {
  tag: '@full',
}, async ({ openProfile }) => {
  const { page, context } = await openProfile()
  const download = page.getByRole('link', { name: 'Download App' })
  await page.goto('/')
  await download.click()
  await expect(page.getByRole('heading', { name: 'On an iPhone or iPad' })).toBeInViewport()
  await expect(page.getByText('Choose Install app or Add to Home screen.')).toBeVisible()

  const asked = await page.evaluateHandle(() => {
    const asked: string[] = []
    const prompt = async () => asked.push('prompt')
    dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }))
    return asked
  })
  await page.goto('/#')
  await download.click()
  expect(await asked.jsonValue()).toEqual(['prompt'])
  expect(new URL(page.url()).hash).toBe('')

  const devtools = await context.newCDPSession(page)
  expect((await devtools.send('Page.getAppManifest')).errors).toEqual([])
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // Like every journey, this one walks in a window that forgets.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})

const scrollToEnd = () => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })

/** In pixels; the browser may round one off at the end of the scroll range. */
const topOf = (element: Locator) => element.evaluate((there) => there.getBoundingClientRect().top)

/** A tap on its center hits the element or something inside it. */
const isReached = (element: Element) => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}

/** Returns paths and contents of everything the browser stores for this origin. */
const readKept = async () => {
  const caching = (await caches.keys()).map((name) => caches.open(name))
  const kept = (await Promise.all(caching)).map(async (cache) =>
    Promise.all(
      (await cache.keys()).map(async (asked) => ({
        path: new URL(asked.url).pathname,
        text: (await (await cache.match(asked))?.text()) ?? '',
      })),
    ),
  )
  return (await Promise.all(kept)).flat()
}

const takesOver = async () => {
  const { serviceWorker } = navigator
  const changed = new Promise((done) =>
    serviceWorker.addEventListener('controllerchange', done, { once: true }),
  )
  await (await serviceWorker.ready).update()
  await changed
}
