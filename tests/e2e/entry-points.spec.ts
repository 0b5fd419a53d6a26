import { demoPeople } from '../../server/commands/seed/demo-people.ts'
import { signInAs } from './support/demo.ts'
import { expectHeading } from './support/page/heading.ts'
import { aPerson, fillAccountForm, fillIn, signIn } from './support/person.ts'
import { saleParams } from './support/setup.ts'
import { expect, test } from './support/test.ts'

// R-accounts-24, R-everywhere-15, R-everywhere-28
test('leads a signed-out person to sign-in or registration, and then to the requested page', async ({
  openProfile,
}) => {
  const maya = await openProfile()
  const civic = (await signInAs('maya', maya))('civic')
  const { page } = await openProfile()

  await test.step('links from the help page to the questions on the landing page', async () => {
    await page.goto('/help')
    await expectHeading(page, 'Log In')
    await page.getByRole('link', { name: 'Questions and answers' }).click()
    await expect(page).toHaveURL('/#questions')
    await page.getByText('More answers').click()
    await page.getByText('Who takes care of the title?').click()
    await expect(page.getByText('Keyturn never holds a title.')).toBeVisible()
  })

  await test.step('asks to sign in on a protected page, or shows the car that its URL names', async () => {
    const response = await page.goto('/trade')
    await expectHeading(page, 'Log In')
    // The server redirects, before the app has loaded.
    expect(new URL(response?.request().redirectedFrom()?.url() ?? 'http://nowhere').pathname).toBe('/trade')
    await expect(page).toHaveURL('/login')
    await page.goto(`/buyer?${civic}`)
    await expect(page).toHaveURL(`/buy-this-car?${civic}`)
    await expectHeading(page, 'Interested in buying this car')
  })

  await test.step('continues to the requested page after a visit to the registration', async () => {
    const { page: other } = await openProfile()
    await other.goto('/trade')
    await other.getByRole('link', { name: 'Create an account' }).click()
    await expect(other).toHaveURL('/register/seller')
    await fillIn(other, { 'First Name': 'Nora' })
    await other.getByText('Buyer', { exact: true }).click()
    await expect(other).toHaveURL('/register/buyer')
    await expect(other.getByLabel("Seller's VIN (optional)")).toBeVisible()
    await expect(other.getByLabel('First Name')).toHaveValue('Nora')
    await other.goBack()
    await expectHeading(other, 'Log In')
    await other.goForward()
    await expect(other).toHaveURL('/register/buyer')
    await other.getByRole('main').getByRole('link', { name: 'Log In', exact: true }).click()
    // The form that is left has fields of the same names.
    await expectHeading(other, 'Log In')
    const { email, password } = demoPeople.nora
    await fillIn(other, { Email: email, Password: password })
    await other.getByRole('button', { name: 'Log In', exact: true }).click()
    await expectHeading(other, 'Trade Dashboard')
  })

  await test.step('shows the landing page for an unknown path', async () => {
    await page.goto('/no/such/page')
    await expect(page).toHaveURL('/')
  })
})

// R-accounts-42
test('names at /email only an address that an email was sent to', async ({ openProfile }) => {
  const { page } = await openProfile()

  await test.step('offers a stranger to send one, and repeats no other text', async () => {
    await page.goto('/email/call-1-800-555-0199')
    await expectHeading(page, 'Verify your email')
    await expect(page.getByLabel('Email')).toHaveValue('')
    await expect(page.getByRole('main')).not.toContainText(/sent|555-0199/)
    await page.goto('/email/Nobody@Example.com')
    await expect(page.getByLabel('Email')).toHaveValue('nobody@example.com')
    await expect(page.getByRole('main')).not.toContainText(/sent/)
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(page.getByText('Email sent to nobody@example.com successfully!')).toBeVisible()
  })

  await test.step('names a signed-in person their own', async () => {
    const ann = aPerson('Ann', 'Quill')
    await page.goto('/register/seller')
    await fillAccountForm(page, ann)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByText(ann.email)).toBeVisible()
    await page.goto('/email/nobody@example.com')
    await expect(page.getByText('We sent a verification link to')).toBeVisible()
    await expect(page.getByText(ann.email)).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText('nobody@example.com')
  })
})

// R-cars-18
test('remembers on the way to the sign-up which car the visitor came from', async ({ openProfile }) => {
  const civic = (await signInAs('maya', await openProfile()))('civic')
  const { page } = await openProfile()
  await page.goto(`/car?${civic}`)
  await page.getByRole('main').getByRole('link', { name: 'Buy This Car' }).click()
  await expectHeading(page, 'Interested in buying this car')
  await expect.poll(() => page.evaluate(() => history.state?.redirectURL)).toBe(`/car?${civic}`)
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL(`/?${civic}`)
})

// R-deals-51
test('says what is wrong with a link to a sale', { tag: '@full' }, async ({ openProfile }) => {
  const civic = (await signInAs('maya', await openProfile()))('civic')
  const nora = await openProfile()
  const { page } = nora
  await signInAs('nora', nora)
  for (const [link, reason] of [
    [civic, 'None of your cars has this link.'],
    ['userId=nobody&vin=1HGCM82633A004352', 'This link is incomplete.'],
    ['', 'This link is incomplete.'],
  ] as const) {
    await page.goto(`/car/seller?${link}`)
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('An error has occurred. Please try again later.')
    await expect(alert).toContainText(reason)
    await expect(alert.getByRole('link', { name: 'Go To Dashboard' })).toBeVisible()
  }
})

// R-cars-15
test('shows an error and a link to the dashboard for an invalid link', { tag: '@full' }, async ({
  openProfile,
}) => {
  const omar = await openProfile()
  const { page, watch } = omar
  watch.allowErrors(/^GET \/(car|buy-this-car) 404$/)
  await signInAs('omar', omar)
  for (const path of ['/car?userId=nobody', '/buy-this-car?userId=nobody']) {
    await page.goto(path)
    await expectHeading(page, 'This link is invalid.')
    await page.getByRole('link', { name: 'Go To Dashboard' }).click()
    await expect(page).toHaveURL('/home')
  }
  await page.goto('/buyer?userId=nobody&vin=1HGCM82633A004352')
  await expectHeading(page, 'This link is invalid.')
  await page.getByRole('link', { name: 'Purchase Dashboard' }).click()
  await expectHeading(page, 'Purchase Dashboard')
})

// R-accounts-25
test('tells a wholesaler which account buying and selling require, and how to get one', {
  tag: '@full',
}, async ({ openProfile }) => {
  const civic = (await signInAs('maya', await openProfile()))('civic')
  const victor = await openProfile()
  await signInAs('victor', victor)
  const { page } = victor
  const sentence = page.getByText('Buying or selling a car requires a buyer or seller account.')
  for (const path of ['/home', '/trade/input', `/buyer?${civic}`]) {
    await page.goto(path)
    await expect(sentence).toBeVisible()
    await expect(page.getByText('create an account with a different email address')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Wholesaler Dashboard' })).toBeVisible()
    await expect(page.getByText(/^Add A (Car|Trade)$/)).toBeHidden()
  }
  await page.goto(`/buy-this-car?${civic}`)
  await expect(sentence).toBeVisible()
  await expect(page.getByRole('button', { name: /^Continue as/ })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Create Account & Buy This Car' })).toBeVisible()
})

// R-deals-4
test('opens the purchase of the listed car when its VIN is entered', { tag: '@full' }, async ({
  openProfile,
}) => {
  const civic = (await signInAs('maya', await openProfile()))('civic')
  const omar = await openProfile()
  const { page } = omar
  await signInAs('omar', omar)
  await page.goto('/buyer')
  const dialog = page.getByRole('dialog', { name: 'Enter VIN to Load Progress' })
  await dialog.getByLabel('VIN').fill(saleParams(civic).vin ?? '')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(`/buyer?${civic}`)
  await expectHeading(page, 'Do You Have A Trade?')
})

// R-accounts-26
test('switches between the seller and the buyer view, and remembers the view on this device', async ({
  openProfile,
}) => {
  const elena = await openProfile()
  await signInAs('elena', elena)
  const { page } = elena
  await page.goto('/home?view=sideways')
  await expectHeading(page, 'Purchase Dashboard')
  await page.getByText('Seller View', { exact: true }).first().click()
  await expectHeading(page, 'Dashboard')
  await page.reload()
  await expectHeading(page, 'Dashboard')
})

// R-everywhere-42
test('shows a task, a car and three proofs in the first view, on at most six phone screens', async ({
  openProfile,
}) => {
  const [width, height] = [360, 740]
  const { page } = await openProfile({ viewport: { width, height } })
  await page.goto('/')
  await expect(page.locator('[data-later]')).toHaveCount(0)
  for (const side of ['Sell a car', 'Buy a car']) {
    await page.getByText(side, { exact: true }).click()
    const firstView = [
      page.getByRole('heading', { level: 1 }),
      page.getByRole('link', { name: 'Create Free Account' }),
      page.locator('main img[src^="/illustrations/"]:visible'),
      ...(await page.getByRole('list', { name: 'What you can check' }).getByRole('link').all()),
    ]
    expect(firstView).toHaveLength(6)
    for (const part of firstView) await expect(part).toBeInViewport({ ratio: 1 })
    // R-everywhere-63
    await expect(page.getByRole('link', { name: 'Create Free Account' })).toHaveCSS(
      'background-color',
      'rgb(15, 92, 74)',
    )
    const tint = side === 'Buy a car' ? 'rgb(31, 75, 135)' : 'rgb(15, 92, 74)'
    await expect(page.getByText(side, { exact: true })).toHaveCSS('color', tint)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(6 * height)
  }
})

// R-everywhere-40
test('shows the landing page, a car and the legal texts without scripts', async ({ openProfile }) => {
  const camry = (await signInAs('maya', await openProfile()))('camry')
  const { page } = await openProfile({ javaScriptEnabled: false })

  await test.step('shows both sides of the landing page, and opens answers', async () => {
    await page.goto('/')
    await expectHeading(page, 'Sell your car to someone you trust.')
    await page.getByRole('link', { name: 'Read the clause' }).first().click()
    await expect(page.getByText(/^The seller agrees not to sell the vehicle/)).toBeInViewport()
    await page.getByText('Buy a car', { exact: true }).click()
    await expectHeading(page, 'Buy from a person you know.')
    await expect(page.getByRole('heading', { name: 'Sell your car' })).toBeHidden()
    await expect(page.getByRole('link', { name: 'Get Started' }).first()).toHaveAttribute(
      'href',
      '/register/buyer',
    )
    await page.getByText('What are the 72 hours?').click()
    await expect(page.getByText('Once the seller has signed, the car is not sold')).toBeVisible()
  })

  await test.step('shows the car, its seller and the link to buy it', async () => {
    await page.goto(`/car?${camry}`)
    await expectHeading(page, 'Maya Whitfield invites you to buy this 2019 Toyota Camry')
    await expect(page.getByText(demoPeople.maya.email)).toBeVisible()
    await expect(page.getByText('A stone chip on the hood')).toBeVisible()
    await expect(page.getByText('Nothing is binding until you both sign.')).toBeVisible()
    // R-cars-1
    const tops = ['Model', 'Year'].map((term) =>
      page.getByRole('term').filter({ hasText: term }).first().evaluate(topOf),
    )
    expect(new Set(await Promise.all(tops)).size).toBe(1)
    await expect(page.getByRole('link', { name: 'Buy This Car' })).toHaveAttribute(
      'href',
      `/buy-this-car?${camry}`,
    )
  })

  await test.step('shows the legal texts with a link back', async () => {
    for (const [path, title] of [
      ['/privacy', 'Privacy Policy'],
      ['/tos', 'Terms of Service'],
    ] as const) {
      await page.goto(path)
      await expectHeading(page, title)
      await page.getByRole('link', { name: 'Back' }).click()
      await expect(page).toHaveURL('/')
    }
  })
})

// R-everywhere-68
test('keeps the documentation of the API short, and opens the part that a link leads to', async ({
  openProfile,
}) => {
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await openProfile({ javaScriptEnabled, viewport: { width: 360, height: 740 } })
    await page.goto('/developers')
    await expectHeading(page, 'For developers')
    if (javaScriptEnabled)
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(30_000)
    await expect(page.getByRole('link', { name: 'postUserTokens' })).toBeHidden()
    await page.goto('/privacy')
    await page.goto('/developers#postUserTokens')
    const title = page.getByRole('heading', { name: 'Create an access token' })
    await expect(title).toBeInViewport()
    await expect(page.getByRole('link', { name: 'postUserTokens' })).toBeVisible()
    await page.getByRole('link', { name: 'CreatedToken' }).first().click()
    await expect(page.getByRole('heading', { name: 'CreatedToken' })).toBeInViewport()
    await expect(page.getByText('"token": "')).toHaveCount(1)
    await title.click()
    await expect(page.getByRole('link', { name: 'postUserTokens' })).toBeHidden()
  }
})

// R-everywhere-28
test('recognizes a signed-in person who follows a link from another site', {
  tag: '@full',
}, async ({ openProfile }) => {
  const maya = await openProfile()
  const camry = (await signInAs('maya', maya))('camry')
  const { page, context } = await openProfile()
  await signIn(page, demoPeople.maya)
  await expectHeading(page, 'Dashboard')
  const { origin } = new URL(page.url())
  const links = `<a href="${origin}/car?${camry}">car</a> <a href="${origin}/">start</a>`
  await page.route('http://chat.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: links }),
  )

  await page.goto('http://chat.example/')
  const first = page.waitForResponse(`${origin}/car?${camry}`)
  await page.getByRole('link', { name: 'car' }).click()
  expect(await (await first).text()).toContain('data-visitor="none"')
  await expect(page.getByText('This is your own car')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Buy This Car' })).toBeDisabled()

  // R-accounts-32
  await test.step('does not renew a session on a car’s page', async () => {
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    await context.clearCookies({ name: /at$/ })
    await page.goto(`/car?${camry}`)
    await expect(page.getByRole('link', { name: 'Buy This Car' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(paths).not.toContain('/auth/refresh')
  })

  await test.step('renews a session on the landing page', async () => {
    await page.goto('http://chat.example/')
    await page.getByRole('link', { name: 'start' }).click()
    await page.getByText('Buy a car', { exact: true }).click()
    await expect(page.getByRole('link', { name: 'Go to your dashboard' }).first()).toBeVisible()
    await expectHeading(page, 'Buy from a person you know.')
  })

  await test.step('shows the signed-out page after signing out in another tab', async () => {
    const other = await context.newPage()
    await other.goto('/profile')
    await other.getByRole('button', { name: 'My Account' }).click()
    await other.getByRole('menuitem', { name: 'Log Out' }).click()
    await expect(page.getByRole('link', { name: 'Log In' }).first()).toBeVisible()
  })
})

// R-everywhere-42, R-everywhere-62
test('uses the system’s color scheme until a person chooses one in Settings, then on every page', {
  tag: '@full',
}, async ({ openProfile }) => {
  const profile = await openProfile({ colorScheme: 'dark' })
  const { page } = profile
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const choice = page.getByRole('radiogroup', { name: 'Appearance' })
  let pictures: string[] = []
  page.on('request', (request) => pictures.push(...(/[\w-]+(?=-[\w-]{8}\.avif)/.exec(request.url()) ?? [])))
  const first = page.getByRole('img', { name: /^(Sharing a car|A shared link)/ }).first()
  const dark = 'rgb(20, 23, 22)'
  await page.goto('/')
  await expect(first).toHaveAttribute('src', /share-dark/)
  await page.getByText('Buy a car', { exact: true }).click()
  await expect(first).toHaveAttribute('src', /car-dark/)
  await expect.poll(() => pictures).toContain('car-dark')
  // Hidden pictures are not loaded.
  expect(pictures.filter((name) => name.endsWith('light'))).toEqual([])
  for (const path of ['/', '/tos', '/login', '/password/forgot']) {
    await page.goto(path)
    await expect(page.getByRole('contentinfo')).toBeVisible()
    expect([path, await background()]).toEqual([path, dark])
    await expect(page.getByText(/^(Appearance|Dark)$/)).toHaveCount(0)
  }

  await signInAs('maya', profile)
  await page.goto('/settings')
  await expect(choice.getByRole('radio', { name: 'System' })).toBeChecked()
  await choice.getByText('Light', { exact: true }).click()
  await expect.poll(background).not.toBe(dark)
  const light = await background()
  pictures = []
  await page.goto('/')
  await expect(first).toHaveAttribute('src', /-light/)
  await first.scrollIntoViewIfNeeded()
  await expect.poll(() => pictures.filter((name) => name.endsWith('light'))).not.toEqual([])
  for (const path of ['/', '/tos', '/help']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect([path, await background()]).toEqual([path, light])
  }

  await page.getByRole('button', { name: 'My Account' }).click()
  await expect(page.getByRole('menuitem').last()).toHaveText('Log Out')
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await expectHeading(page, 'Log In')
  expect(await background()).toBe(dark)
})

const topOf = (element: Element) => element.getBoundingClientRect().top
