import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { carTexts, detailTexts } from '@keyturn/contract/cars/texts.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import type { Locator, Page } from '@playwright/test'
import { phone } from './support/camera.ts'
import { signInAs } from './support/demo.ts'
import { expectPrimaryButtons } from './support/primary-buttons.ts'
import { expect, type Profile, test } from './support/test.ts'
import { openView } from './views/open-view.ts'
import { press, type View } from './views/view.ts'
import { readOnlyViews } from './views/views.ts'
import { openWorld, type World } from './views/world.ts'

const sizes = [
  { width: 360, height: 740 },
  { width: 375, height: 667 },
  { width: 393, height: 852 },
  { width: 412, height: 915 },
]
const views = readOnlyViews.filter(({ confirms }) => confirms !== undefined)
const isFull = process.env.TEST_FULL === '1'

/** Milliseconds between two taps of a double tap, and in which a dialog takes no press. */
const doubleTapMs = 250
const guardMs = 500

// R-everywhere-56
test('no dialog takes the second tap of a double tap', async ({ product, openProfile }) => {
  test.setTimeout(900_000)
  const world = await openWorld(product, openProfile)
  const profiles = new Map<View['as'], Profile>()
  for (const [at, view] of views.entries()) {
    const profile = profiles.get(view.as) ?? ((await world.openProfile(view, phone)) as Profile)
    profiles.set(view.as, profile)
    for (const size of isFull ? sizes : [sizes[at % sizes.length] ?? sizes[0]])
      await test.step(`${view.name} at ${size?.width} px`, () => tapThrough(view, profile, world, size))
  }
})

// R-deals-101
test('shows the car that is next up above rows that open with a tap', async ({ openProfile }) => {
  const [elena, maya] = [await openProfile(phone), await openProfile()]
  await signInAs('elena', elena)
  await signInAs('maya', maya)
  // Other tests change what most cars wait for, but not a completed sale.
  const rowOf = ({ page }: Profile, car: string) => page.getByRole('row', { name: car })
  const expectNextUp = async ({ page }: Profile) => {
    const next = page.getByRole('row').nth(1)
    await expect(next).toContainText('Next up')
    const name = (await next.getByRole('heading', { level: 2 }).textContent()) ?? ''
    await expect(page.getByText(name)).toHaveCount(1)
    await expectPrimaryButtons(page, '')
    await expectPrimaryButtons(next, '')
    return next
  }

  await test.step('on a phone, with rows of 72 px that have no VIN', async () => {
    const { page } = elena
    await page.goto('/home?view=buying')
    await expectNextUp(elena)
    const row = rowOf(elena, 'Odyssey')
    await expect(row).toContainText('2014 Honda Odyssey EX-L$11,500agreed priceCompleted')
    expect(await row.boundingBox()).toMatchObject({ height: 72 })
    await expect(page.getByText(/^[A-HJ-NPR-Z0-9]{17}$/)).toHaveCount(0)
    await row.tap({ position: { x: 40, y: 66 } })
    await expect(page).toHaveURL(/\/buyer\?/)
  })

  await test.step('on a computer, with the specified columns', async () => {
    const { page } = maya
    await page.goto('/home?view=selling')
    const next = await (await expectNextUp(maya)).boundingBox()
    const headers = page.getByRole('columnheader')
    await expect(headers).toHaveText(['Car', 'Year', 'Make', 'Model', 'VIN', 'Price', 'Status', 'Actions'])
    const header = await headers.first().boundingBox()
    expect(next && header && next.y + next.height).toBeLessThan(header?.y ?? 0)
    await expect(rowOf(maya, 'Outback')).toContainText('PendingListed')
  })
})

async function tapThrough(
  view: View,
  { context, watch }: Pick<Profile, 'context' | 'watch'>,
  world: World,
  size = sizes[0],
) {
  watch.allowErrors(...(view.allowedErrors ?? []))
  // The administrator's short session ends during the full run; the app renews it.
  if (view.as === 'administrator') watch.allowErrors(/^GET \/(desk|admin)\S* 401$/)
  watch.allowFailedRequests(view.before !== undefined)
  const page = await context.newPage()
  if (size) await page.setViewportSize(size)
  await page.addInitScript(watchDialogs)
  const opened: string[] = []
  const restore = replaceClicks(page, async (target) => {
    await target.click({ trial: true })
    const point = await centerOf(target)
    const before = await buttonsOf(page)
    await page.touchscreen.tap(point.x, point.y)
    const until = Date.now() + doubleTapMs
    while ((await buttonsOf(page)) === before && Date.now() < until) await page.waitForTimeout(20)
    const buttons = await buttonsOf(page)
    if (buttons === before || buttons === '') return
    await page.waitForTimeout(Math.max(0, until - Date.now()))
    await page.touchscreen.tap(point.x, point.y)
    opened.push(buttons)
    await checkOpened(page, point, buttons)
  })
  try {
    await openView(view, page, world)
  } finally {
    restore()
  }
  expect(opened, `${view.name} opens a dialog by a tap`).not.toEqual([])
  await page.close()
}

/** Expects the dialog that a tap at a point has just opened to have ignored the second one. */
async function checkOpened(page: Page, point: { x: number; y: number }, buttons: string) {
  const confirm = page.getByRole('dialog').locator('button, a').last()
  const confirmAt = await centerOf(confirm)
  await page.touchscreen.tap(confirmAt.x, confirmAt.y)
  expect(await buttonsOf(page), 'the dialog is still open').toBe(buttons)
  expect(
    await page.evaluate(() => window.dialogs.reached.filter(({ ms }) => ms < 490)),
    `early presses of ${buttons}`,
  ).toEqual([])

  const danger = page.getByRole('dialog').locator('[data-danger]')
  if (await danger.count()) {
    const box = await danger.boundingBox()
    const isUnder =
      box !== null &&
      point.x >= box.x &&
      point.x <= box.x + box.width &&
      point.y >= box.y &&
      point.y <= box.y + box.height
    expect(isUnder, 'the button that destroys lies under its opener').toBe(false)
  }
  await page.waitForTimeout(guardMs)
  if (await confirm.isEnabled()) {
    // By keyboard, by a screen reader, and by touch.
    const presses = [() => confirm.press('Enter'), () => confirm.dispatchEvent('click'), () => confirm.tap()]
    for (const act of presses) {
      await page.evaluate(() => {
        window.dialogs.reached = []
      })
      await act()
      expect(await page.evaluate(() => window.dialogs.reached.length)).toBe(1)
    }
  }
  await page.evaluate(() => {
    window.dialogs.isHeld = false
  })
}

const centerOf = async (target: Locator) => {
  const box = await target.boundingBox()
  if (!box) throw new Error(`${target} is not visible`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** The words of the newest open dialog's buttons, which tell one dialog and its steps from another. */
const buttonsOf = (page: Page) =>
  page.evaluate(() => {
    const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1)
    return [...(dialog?.querySelectorAll('button') ?? [])].map((one) => one.textContent).join('; ')
  })

/** Replaces the clicks of a view's actions on one page. */
function replaceClicks(page: Page, act: (target: Locator) => Promise<void>): () => void {
  const locator = Object.getPrototypeOf(page.locator('body'))
  const { click } = locator
  locator.click = function (this: Locator, options?: Parameters<Locator['click']>[0]) {
    return options?.trial || this.page() !== page ? click.call(this, options) : act(this)
  }
  return () => {
    locator.click = click
  }
}

type Form = Pick<View, 'as' | 'at' | 'act'> & {
  name: string
  /** The field that has the focus, and a value that leaving it marks as wrong. */
  field: string
  value: string
  button: string
  /** A hint that stays. */
  hint?: string
  allowedErrors?: RegExp[]
  /** The button saves that the person has left this screen, so it can be pressed once. */
  isLeft?: true
}

const { fields, add, share, words } = carTexts
const { login, register, profile, settings } = accountTexts
const vinErrors = [/^GET \/vin\/\w+ (422|503)$/]
const vinForms: Omit<Form, 'as' | 'at'>[] = [
  { name: 'an unknown VIN', value: '1'.repeat(17), hint: add.byHand },
  { name: 'a short VIN', value: '123' },
  { name: 'a mistyped VIN', value: '1HGCM82633A004353', hint: carTexts.vinCheckDigit },
].map((form) => ({ field: add.vinLabel, button: add.verify, allowedErrors: vinErrors, ...form }))

const forms: Form[] = [
  ...vinForms.map((form) => ({ ...form, as: 'nora' as const, at: '/car/input' })),
  ...vinForms.map((form) => ({
    ...form,
    field: tradeTexts.input.fields.vin,
    as: 'omar' as const,
    at: '/trade/input',
  })),
  { name: 'a car', as: 'nora', at: '/car/input', field: fields.mileage, value: 'x', button: add.submit },
  {
    name: 'a trade',
    as: 'omar',
    at: '/trade/input',
    field: tradeTexts.input.fields.zipCode,
    value: '1',
    button: tradeTexts.input.submit,
  },
  { name: 'login', as: 'nobody', at: '/login', field: login.email, value: 'x', button: login.submit },
  {
    name: 'registration',
    as: 'nobody',
    at: '/register/seller',
    field: register.confirmPassword,
    value: 'x',
    button: register.submit,
  },
  {
    name: 'a profile',
    as: 'maya',
    at: '/profile',
    act: press(profile.edit),
    field: profile.phone,
    value: '1',
    button: profile.save,
  },
  {
    name: 'a password',
    as: 'maya',
    at: '/settings',
    act: press(settings.changePassword),
    field: settings.password,
    value: 'x',
    button: settings.save,
  },
  {
    name: 'a request',
    as: 'elena',
    at: (world) => `/buyer${world.linkTo('silverado')}`,
    field: buyingTexts.agreedPrice,
    value: '6.500',
    button: buyingTexts.submitRequest,
  },
  {
    name: 'financing',
    as: 'grace',
    at: (world) => `/buyer${world.linkTo('sonata')}`,
    field: `${buyingTexts.financingDownPayment} (optional)`,
    value: '6.500',
    button: buyingTexts.back,
    isLeft: true,
  },
  {
    name: 'an offer',
    as: 'victor',
    at: '/wholesaler',
    act: press(/2014 Nissan Rogue/),
    field: tradeTexts.wholesaler.offerLabel,
    value: '12.345',
    button: tradeTexts.wholesaler.cancel,
  },
  {
    name: 'a counter offer',
    as: 'marcus',
    at: '/trade',
    act: press(new RegExp(`^${tradeTexts.dashboard.next.OFFERED}: `), tradeTexts.dialog.counterOffer),
    field: tradeTexts.dialog.counterLabel,
    value: '0',
    button: tradeTexts.dialog.reject,
  },
  {
    name: 'a denial',
    as: 'maya',
    at: (world) => `/car/seller${world.linkTo('civic')}`,
    act: press(sellingTexts.deny),
    field: sellingTexts.denyMessage,
    value: 'No.',
    button: 'Cancel',
  },
  {
    name: 'an asking price',
    as: 'maya',
    at: (world) => `/car/seller${world.linkTo('camry')}`,
    act: press(share.editPrice),
    field: share.newPrice,
    value: '6.500',
    button: share.savePrice,
  },
  {
    name: 'a description',
    as: 'maya',
    at: (world) => `/car/seller${world.linkTo('outback')}`,
    act: press(words.describe),
    field: detailTexts.owners.label,
    value: '100',
    button: words.save,
  },
]

// R-everywhere-57
test('nothing moves between press and release', async ({ product, openProfile }) => {
  test.setTimeout(600_000)
  const world = await openWorld(product, openProfile)
  const phones = new Map<View['as'], Profile>()
  for (const form of forms) {
    const profile = phones.get(form.as) ?? ((await world.openProfile(form, phone)) as Profile)
    phones.set(form.as, profile)
    profile.watch.allowErrors(...(form.allowedErrors ?? []))
    await test.step(`${form.name} at ${form.field}`, async () => {
      await pressAfterTyping(form, profile, world, (page, { x, y }) => page.touchscreen.tap(x, y))
      if (!isFull || form.isLeft) return
      await pressAfterTyping(form, profile, world, async (page, { x, y }) => {
        await page.mouse.move(x, y)
        await page.mouse.down()
        await page.waitForTimeout(150)
        await page.mouse.up()
      })
    })
  }
})

async function pressAfterTyping(
  { at, act, field, value, button, hint, name }: Form,
  { context }: Profile,
  world: World,
  pressAt: (page: Page, point: { x: number; y: number }) => Promise<void>,
) {
  const page = await context.newPage()
  await page.addInitScript(recordPresses)
  await page.goto(typeof at === 'string' ? at : await at(world, context))
  await act?.(page, world)
  await page.getByLabel(field, { exact: true }).first().fill(value)
  if (hint) await expect(page.getByText(hint).first()).toBeVisible()
  const target = page.getByRole('button', { name: button, exact: true }).last()
  await target.click({ trial: true })
  await page.getByLabel(field, { exact: true }).first().focus()
  await target.scrollIntoViewIfNeeded()
  await page.evaluate(() => {
    window.presses = []
  })
  await pressAt(page, await centerOf(target))
  await expect
    .poll(() => page.evaluate(() => window.presses), { message: name })
    .toEqual([{ isSame: true, moved: 0 }])
  if (hint) await expect(page.getByText(hint).first()).toBeVisible()
  await page.close()
}

/** Records whether each click reached the button that was pressed, and by how much it moved before. */
function recordPresses() {
  window.presses = []
  let pressed: { button: Element | null; top: number } | null = null
  const buttonOf = (event: Event) =>
    event.target instanceof Element ? event.target.closest('button, a') : null
  window.addEventListener(
    'pointerdown',
    (event) => {
      const button = buttonOf(event)
      pressed = { button, top: button?.getBoundingClientRect().top ?? 0 }
    },
    true,
  )
  window.addEventListener(
    'click',
    (event) => {
      const top = pressed?.button?.getBoundingClientRect().top ?? 0
      window.presses.push({
        isSame: pressed?.button !== null && pressed?.button === buttonOf(event),
        moved: top - (pressed?.top ?? 0),
      })
    },
    true,
  )
}

declare global {
  interface Window {
    presses: { isSame: boolean; moved: number }[]
    dialogs: { openedAt: number; isHeld: boolean; reached: { ms: number; words: string }[] }
  }
}

/** Records clicks that reach a dialog, with their time since it got its buttons, and holds them back. */
function watchDialogs() {
  window.dialogs = { openedAt: 0, isHeld: false, reached: [] }
  let pressedAt = 0
  window.addEventListener(
    'pointerdown',
    ({ timeStamp }) => {
      pressedAt = timeStamp
    },
    true,
  )
  document.addEventListener(
    'click',
    (event) => {
      const { dialogs } = window
      const button = event.target instanceof Element ? event.target.closest('button, a') : null
      if (!dialogs.isHeld || !button?.closest('[role="dialog"]')) return
      event.preventDefault()
      event.stopImmediatePropagation()
      const from = event.detail > 0 ? pressedAt : event.timeStamp
      dialogs.reached.push({ ms: Math.round(from - dialogs.openedAt), words: button.textContent ?? '' })
    },
    true,
  )
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
    for (const node of added) {
      if (
        !(node instanceof Element) ||
        !(node.closest('[role="dialog"]') ?? node.querySelector('[role="dialog"]'))
      )
        continue
      if (node.closest('li') || (!node.matches('button') && !node.querySelector('button'))) continue
      window.dialogs = { openedAt: performance.now(), isHeld: true, reached: [] }
    }
  }).observe(document, { childList: true, subtree: true })
}
