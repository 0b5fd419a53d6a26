import type { Page, Route } from '@playwright/test'
import sharp from 'sharp'
import { demoCars } from '../../server/commands/seed/demo-cars.ts'
import { demoPeople } from '../../server/commands/seed/demo-people.ts'
import { expect, phone, test } from './support/camera.ts'
import { signInAs } from './support/demo.ts'
import { whileOffline } from './support/network.ts'
import { fillIn } from './support/person.ts'
import { signInAsAdministrator } from './support/setup.ts'
import { waitForLookup } from './support/vin.ts'

const pickup = '1FTFW1ET9DFC10312'
const civic = '2HGFC2F75JH541190'
const odyssey = '5FNRL5H61EB075531'
const accord = '1HGCM82633A004352'
const noCar = 'F10GLW48210'

const label = 'Vehicle Identification Number (VIN)'

test('finds a VIN that was pasted with its label, and warns about a VIN that is too short', async ({
  openProfile,
}) => {
  const profile = await openProfile()
  const { page } = profile
  await signInAs('nora', profile)
  await page.goto('/car/input')
  const field = page.getByLabel(label)
  const short = page.getByText('VINs since 1981 have 17 characters.')
  await field.fill(accord.slice(0, 16))
  await expect(short).toBeHidden()
  await page.getByLabel('Year', { exact: true }).fill('2003')
  await expect(short).toBeVisible()
  await field.fill('VIN: 1HGCM-82633-A004352.')
  await expect(field).toHaveValue(accord)
  await waitForLookup(profile)
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('Accord')
  await expect(short).toBeHidden()
  await field.fill(`*I${accord}*`)
  await expect(field).toHaveValue(accord)
})

// R-cars-36
test('reports a listed car as one’s own, and leads to an own listing', async ({ openProfile, product }) => {
  const profile = await openProfile()
  const { page, watch } = profile
  watch.allowErrors(/^POST \/cars\/input 409$/)
  await signInAs('nora', profile)
  const addCar = async (vin: string) => {
    await page.goto('/car/input')
    await page.getByLabel(label).fill(vin)
    await waitForLookup(profile)
    await fillIn(page, { Trim: 'EX', Mileage: '61000', Color: 'White' })
    await page.getByRole('radio', { name: 'No', exact: true }).check()
    await page.getByRole('button', { name: 'Add Car' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  }
  const dialog = page.getByRole('dialog')

  await test.step('sends the report to the administrator', async () => {
    await addCar(demoCars.civic.vin)
    await expect(dialog).toContainText('This car is already listed.')
    await dialog.getByRole('button', { name: 'This Is My Car' }).click()
    await expect(dialog.getByRole('button', { name: 'Send Report' })).toBeDisabled()
    await dialog.getByLabel('How can we tell that it is yours?').fill('The title is in my name.')
    await dialog.getByRole('button', { name: 'Send Report' }).click()
    await expect(dialog).toContainText(`we will email the decision to ${demoPeople.nora.email}`)
  })

  await test.step('shows both cars to the administrator, who keeps the listing', async () => {
    const administrator = await openProfile()
    await signInAsAdministrator(administrator, product)
    await administrator.page.goto('/dev')
    const row = administrator.page.getByRole('row').filter({ hasText: 'The title is in my name.' })
    await expect(row).toContainText(demoPeople.maya.email)
    await expect(row).toContainText(demoPeople.nora.email)
    await row.getByRole('button', { name: /^Keep the listing/ }).click()
    await expect(row).toContainText('Kept on')
  })

  await test.step('leads to the own listing of a VIN', async () => {
    await addCar(accord)
    await expect(dialog).toContainText('Car Added Successfully!')
    await addCar(accord)
    await dialog.getByRole('link', { name: 'Go To Your Listing' }).click()
    await expect(page).toHaveURL(new RegExp(`/car/seller\\?userId=\\w+&vin=${accord}`))
  })
})

// R-cars-35
test('shows photos in the picked order when the first one arrives last', async ({ openProfile }) => {
  const profile = await openProfile()
  const { page } = profile
  const civicLink = (await signInAs('maya', profile))('civic')
  await page.goto(`/car/seller?${civicLink}`)
  const widths = [101, 102, 103, 104, 105]
  const files = await Promise.all(
    widths.map(async (width) => ({
      name: `${width}.png`,
      mimeType: 'image/png',
      buffer: await sharp({
        create: { width, height: 80, channels: 3, background: { r: width, g: 9, b: 9 } },
      })
        .png()
        .toBuffer(),
    })),
  )
  let sent = 0
  let restSent = () => {}
  const rest = new Promise<void>((resolve) => {
    restSent = resolve
  })
  await page.route('**/cars/photos/**', async (route) => {
    if (++sent === 1) {
      // The first waits until the others are stored.
      await rest
      return route.continue()
    }
    const response = await route.fetch()
    await route.fulfill({ response })
    if (sent === widths.length) restSent()
  })
  await page.locator('input[type=file][multiple]').setInputFiles(files)
  const shown = async () => {
    const [, userId, vin] = /userId=(\w+)&vin=(\w+)/.exec(civicLink) ?? []
    const { car } = await (await page.request.get(`/cars/public/${userId}/${vin}`)).json()
    return car.photos.map(({ width }: { width: number }) => width)
  }
  await expect.poll(shown).toEqual(widths)
})

test('ignores the look-up of a VIN that was replaced in the meantime', { tag: '@full' }, async ({
  openProfile,
}) => {
  const profile = await openProfile()
  const { page, watch } = profile
  watch.allowErrors(/^GET \/vin\/\w+ (422|503)$/)
  await signInAs('nora', profile)
  await page.goto('/car/input')
  const make = page.getByLabel('Make', { exact: true })
  const verify = page.getByRole('button', { name: 'Verify VIN' })
  const found = page.getByText(/^We found your car/)

  await test.step('when it found a car', async () => {
    const lookup = await holdLookup(page, pickup)
    await fillIn(page, { [label]: pickup })
    await lookup.requested
    await fillIn(page, { [label]: civic.slice(0, 16) })
    await lookup.release()
    await expect(make).toHaveValue('')
    await expect(found.first()).toBeHidden()
  })

  await test.step('when it found no car', async () => {
    const lookup = await holdLookup(page, noCar)
    await fillIn(page, { [label]: noCar })
    await verify.click()
    await lookup.requested
    await fillIn(page, { [label]: pickup })
    await lookup.release()
    await expect(page.getByText('Invalid VIN', { exact: true })).toBeHidden()
  })

  await test.step('looks up the corrected VIN immediately and without a click', async () => {
    const lookup = await holdLookup(page, noCar)
    await fillIn(page, { [label]: noCar })
    await verify.click()
    await lookup.requested
    await page.getByRole('button', { name: 'Add Car' }).click()
    await expect(page.getByText('Invalid mileage.')).toBeVisible()
    await fillIn(page, { [label]: civic })
    await waitForLookup(profile)
    await lookup.release()
    await expect(make).toHaveValue('Honda')
    await expect(found.first()).toBeVisible()
    await expect(page.getByText('Invalid mileage.')).toBeVisible()
  })

  await test.step('asks about details of the earlier VIN before they are sent', async () => {
    await fillIn(page, { [label]: pickup.slice(0, 16), Trim: 'XLT' })
    await expect(page.getByText('From the earlier VIN', { exact: true })).toHaveCount(3)
    await page.getByRole('button', { name: 'Keep them' }).click()
    await expect(page.getByText('From the earlier VIN', { exact: true })).toHaveCount(0)
    await expect(make).toHaveValue('Honda')
    await fillIn(page, { [label]: pickup.slice(0, 15) })
    await page.getByRole('button', { name: 'Clear them' }).click()
    await expect(make).toHaveValue('')
    await expect(page.getByLabel('Trim', { exact: true })).toHaveValue('XLT')
  })

  await test.step('verifies by Enter, and shows the hint below the error for a wrong check digit', async () => {
    await fillIn(page, { [label]: noCar })
    await page.getByLabel(label, { exact: true }).press('Enter')
    await expect(page.getByText('Invalid VIN', { exact: true })).toBeVisible()
    await fillIn(page, { [label]: '1HGZZZZZ03A004352' })
    const field = page.getByLabel(label, { exact: true })
    // The warning before the look-up has the same text, and a look-up may time out on a busy
    // machine.
    await expect(async () => {
      await field.press('Enter')
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(page.getByText('This VIN looks mistyped. Compare it with the title.')).toHaveCount(1)
    }).toPass({ timeout: 90_000 })
    await expect(page.getByText('Invalid VIN', { exact: true })).toBeVisible()
  })

  await test.step('offers the trims that the VIN leaves open', async () => {
    await fillIn(page, { [label]: odyssey })
    await expect(page.getByRole('button', { name: 'EXL-NAVI' })).toBeVisible()
    await page.getByRole('button', { name: 'EXL-NAVI' }).click()
    await expect(page.getByLabel('Trim', { exact: true })).toHaveValue('EXL-NAVI')
  })
})

// R-cars-14
test('shows only the cause, with a way on, when a look-up gets no answer', async ({ openProfile }) => {
  const profile = await openProfile()
  const { page } = profile
  await signInAs('nora', profile)
  await page.goto('/car/input')
  await expect(page.getByLabel(label, { exact: true })).toBeVisible()
  const field = page.getByLabel(label, { exact: true })
  const expectCause = async (cause: string) => {
    const alert = page.getByRole('alert')
    await expect(alert).toContainText(`${cause} You can also fill in the fields by hand.`)
    await expect(alert.getByRole('button')).toHaveAccessibleName('Try Again')
    await expect(page.getByText('Invalid VIN', { exact: true })).toBeHidden()
    await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  }
  await whileOffline(profile, async () => {
    await fillIn(page, { [label]: civic })
    await expectCause('Keyturn cannot be reached. Please check your connection and try again.')
  })
  profile.watch.allowErrors(/^GET \/vin\/\w+ (429|500|503)$/)
  for (const status of [500, 429]) {
    const json = { errorCode: 'Unavailable', message: 'Please wait.' }
    await page.route('**/vin/*', (route) => route.fulfill({ status, json }), { times: 1 })
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expectCause('Please wait.')
  }
  await page.getByRole('button', { name: 'Try Again' }).click()
  await waitForLookup(profile)
  await expect(page.getByRole('alert')).toBeHidden()
})

const scannedCodes = [
  {
    name: 'a tilted door label with the prefix I of an import',
    code: { format: 'Code39', text: `I${pickup}`, width: 777, degrees: 15 },
    vin: pickup,
    model: 'F-150',
  },
  {
    name: 'a blurred label',
    code: { format: 'Code128', text: civic, width: 800, blur: 2 },
    vin: civic,
    model: 'Civic',
  },
  {
    name: 'a small plate',
    code: { format: 'DataMatrix', text: odyssey, width: 64, degrees: 20 },
    vin: odyssey,
    model: 'Odyssey',
  },
  {
    name: 'a URL in a blurred, tilted QR code',
    code: {
      format: 'QRCode',
      text: `https://example.com/label?vin=${accord}`,
      width: 200,
      degrees: -30,
      blur: 1,
    },
    vin: accord,
    model: 'Accord',
  },
] as const

// R-cars-22
test('scans a VIN with a phone’s camera, and sends no picture', {
  tag: '@full',
}, async ({ openProfile, camera }) => {
  const profile = await openProfile({ ...phone, permissions: ['camera'] })
  const { page, watch } = profile
  watch.allowErrors(/^GET \/vin\/\w+ 503$/)
  await signInAs('nora', profile)
  const readCamera = await trackCamera(page)
  const dialog = page.getByRole('dialog', { name: 'Scan VIN' })
  const scan = () => page.getByRole('button', { name: 'Scan VIN' }).click()

  const warmed = page.waitForResponse('**/vin/warm')
  await page.goto('/car/input')
  await warmed
  const sent: string[] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    sent.push(`${request.method()} ${origin === new URL(page.url()).origin ? '' : origin}${pathname}`)
  })

  for (const { name, code, vin, model } of scannedCodes)
    await test.step(name, async () => {
      await camera.show(code)
      await scan()
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(vin)
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('button', { name: 'Scan VIN' })).toBeFocused()
      expect(await readCamera()).toEqual({ isOn: false })
      await waitForLookup(profile)
      await expect(page.getByLabel('Model', { exact: true })).toHaveValue(model)
    })

  await test.step('requests only the scanner, once, and the VIN look-ups', async () => {
    expect(sent.filter((line) => /\.wasm$/.test(line))).toHaveLength(1)
    // The page also requests the responses that were preloaded.
    const known = /^GET \/(assets\/[\w.-]+|vin\/\w{17}|user|notifications(\/unread)?|events)$/
    expect(sent.filter((line) => !known.test(line))).toEqual([])
  })

  await test.step('reports a code that is not a VIN, and turns the camera off while the window is not focused', async () => {
    await camera.show({ format: 'Code128', text: 'DOT 4B08 4DHR', width: 600 })
    await scan()
    await expect(dialog.getByText('This code is not a VIN.')).toBeVisible()
    expect(await readCamera()).toEqual({ isOn: true })
    await page.evaluate(() => dispatchEvent(new Event('blur')))
    await expect(dialog.getByText('The camera is off while you are away.')).toBeVisible()
    expect(await readCamera()).toEqual({ isOn: false })
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await expect(dialog.getByText('This code is not a VIN.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    expect(await readCamera()).toEqual({ isOn: false })
  })
})

// R-cars-22
test('reads a photo when the camera is not allowed, using the browser’s detector if there is one', {
  tag: '@full',
}, async ({ openProfile, camera }) => {
  const profile = await openProfile({ ...phone, permissions: [] })
  const { page, watch } = profile
  watch.allowErrors(/^GET \/vin\/\w+ 503$/)
  await signInAs('omar', profile)
  const dialog = page.getByRole('dialog', { name: 'Scan VIN' })
  const photo = dialog.locator('input[type=file]')
  const vin = page.getByLabel('Enter your Vehicle Identification Number (VIN)', { exact: true })

  await test.step('reads photos without and with a VIN', async () => {
    await page.goto('/trade/input')
    await page.getByRole('button', { name: 'Scan VIN' }).click()
    await expect(dialog.getByText('Camera access is blocked.')).toBeVisible()
    await expect(photo).toHaveAttribute('capture', 'environment')
    await photo.setInputFiles(await camera.photograph({ format: 'Code128', text: 'DOT 4B08 4DHR' }))
    await expect(dialog.getByText('The code in this photo is not a VIN.')).toBeVisible()
    await photo.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('a list') })
    await expect(dialog.getByText('This photo could not be opened.')).toBeVisible()
    await photo.setInputFiles(await camera.photograph({ format: 'Code39', text: `I${pickup}` }))
    await expect(vin).toHaveValue(pickup)
    await expect(dialog).toBeHidden()
    await waitForLookup(profile)
    await expect(page.getByLabel('Model', { exact: true })).toHaveValue('F-150')
  })

  await test.step('uses the browser’s detector', async () => {
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    // Chromium on Linux has no BarcodeDetector.
    await page.addInitScript((text) => {
      class BarcodeDetector {
        static async getSupportedFormats() {
          return ['code_39', 'code_128', 'data_matrix', 'qr_code', 'aztec']
        }
        async detect() {
          return [{ rawValue: text }]
        }
      }
      Object.assign(window, { BarcodeDetector })
    }, `I${civic}`)
    await page.reload()
    await page.getByRole('button', { name: 'Scan VIN' }).click()
    await photo.setInputFiles(await camera.photograph({ format: 'Code39', text: 'any other' }))
    await expect(vin).toHaveValue(civic)
    expect(loaded.filter((url) => url.includes('zxing'))).toEqual([])
  })

  await test.step('does not offer scanning on a computer', async () => {
    const computer = await openProfile({ permissions: ['camera'] })
    await signInAs('nora', computer)
    await computer.page.goto('/car/input')
    await expect(computer.page.getByRole('button', { name: 'Verify VIN' })).toBeVisible()
    expect(await computer.page.evaluate(readCapabilities)).toEqual({ coarse: false, cameras: true })
    await expect(computer.page.getByRole('button', { name: 'Scan VIN' })).toHaveCount(0)
  })
})

const readCapabilities = async () => ({
  coarse: matchMedia('(pointer: coarse)').matches,
  cameras: (await navigator.mediaDevices.enumerateDevices()).some(({ kind }) => kind === 'videoinput'),
})

/** Returns a function that tells whether the page has a running camera. */
async function trackCamera(page: Page) {
  await page.addInitScript(() => {
    const { mediaDevices } = navigator
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    const tracks: MediaStreamTrack[] = []
    Object.assign(window, { tracks })
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints)
      tracks.push(...stream.getTracks())
      return stream
    }
  })
  return () =>
    page.evaluate(() => ({
      isOn: Reflect.get(window, 'tracks').some((track: MediaStreamTrack) => track.readyState === 'live'),
    }))
}

/**
 * Holds the response of a look-up until `release` is called. `requested` resolves once the request
 * was sent.
 */
async function holdLookup(page: Page, vin: string) {
  const url = `**/vin/${vin}`
  let hold = (_: Route) => {}
  const requested = new Promise<Route>((resolve) => {
    hold = resolve
  })
  await page.route(url, (route) => hold(route))
  return {
    requested,
    release: async () => {
      const response = page.waitForResponse(url)
      await (await requested).continue()
      await (await response).finished()
      await page.unroute(url)
      // Once the page is idle, it has processed the response.
      await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)))
    },
  }
}
