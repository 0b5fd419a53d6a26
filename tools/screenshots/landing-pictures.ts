import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { openView } from '../../tests/e2e/views/open-view.ts'
import { fillFields, type View } from '../../tests/e2e/views/view.ts'
import { readOnlyViews } from '../../tests/e2e/views/views.ts'
import type { World } from '../../tests/e2e/views/world.ts'
import {
  pictureName,
  productScreens,
  type ScreenName,
  schemes,
  screenWidth,
} from '../../web/features/public-pages/product-screens.ts'
import { pictureFolder, recordSources } from './landing-sources.ts'
import { waitUntilStable } from './page-sizes.ts'

type Shot = {
  view: string
  /** Scrolls this element to the start or the end of the picture. */
  at?: (page: Page) => Locator
  block?: 'start' | 'end'
  fills?: Record<string, string>
}

const shots: Record<ScreenName, Shot> = {
  'add-car': { view: 'add-car-vin-found', at: (page) => page.getByText(carTexts.add.vinLabel).first() },
  share: { view: 'share' },
  confirm: { view: 'share-requests', at: (page) => page.getByText('Marcus Reed').first() },
  'sign-selling': {
    view: 'deal-2-agreement',
    at: (page) => page.locator('[data-paper] > :last-child'),
    block: 'end',
  },
  car: { view: 'car' },
  trade: { view: 'trades-offered' },
  price: {
    view: 'wizard-5-request',
    at: (page) => page.getByRole('heading', { name: buyingTexts.requestTitle }),
    fills: { [buyingTexts.agreedPrice]: '15000' },
  },
  'sign-buying': { view: 'wizard-6-agreement-filled' },
}

/** Captures the pictures of the landing page (decision 31). */
export async function captureLandingPictures(world: World, only?: string): Promise<void> {
  mkdirSync(pictureFolder, { recursive: true })
  for (const screen of Object.keys(shots) as ScreenName[])
    if (!only || screen.includes(only)) await takeScreen(screen, world)
}

async function takeScreen(screen: ScreenName, world: World): Promise<void> {
  const { view: name, at, block = 'start', fills = {} } = shots[screen]
  const view = findView(name)
  const { context } = await world.openProfile(view, { deviceScaleFactor: 2 })
  const page = await context.newPage()
  await page.setViewportSize({ width: screenWidth, height: productScreens[screen].height })
  await openView(view, page, world)
  await fillFields(page, fills)
  await page.evaluate(replaceHost, 'https://keyturn.example')
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme })
    await waitUntilStable(page, false)
    await at?.(page).evaluate((element, block) => element.scrollIntoView({ block }), block)
    const picture = await page.screenshot()
    const { size } = await sharp(picture)
      .avif({ quality: 55, effort: 6 })
      .toFile(join(pictureFolder, pictureName(screen, scheme)))
    process.stdout.write(`${pictureName(screen, scheme)}  ${(size / 1000).toFixed(1)} kB\n`)
  }
  await context.close()
  recordSources(screen)
}

/** Runs in the page: replaces the origin in shared links by a public host. */
function replaceHost(host: string): void {
  for (const field of document.querySelectorAll('input'))
    if (field.value.startsWith(location.origin)) field.value = field.value.replace(location.origin, host)
}

function findView(name: string): View {
  const view = readOnlyViews.find((one) => one.name === name)
  if (!view) throw new Error(`There is no view called ${name}`)
  return view
}
