import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { aPng } from '../support/malformed-pictures.ts'
import { readQrCode } from '../support/papers/qr-code.ts'
import { answerButton, answerQuestion, expectProgress } from './support/deal.ts'
import { fetchPackageId } from './support/demo.ts'
import { expectHeading } from './support/page/heading.ts'
import { openCard } from './support/page/open-card.ts'
import { aPerson, fillAccountForm, fillIn, signIn, signOut } from './support/person.ts'
import { expectPrimaryButtons } from './support/primary-buttons.ts'
import { callApi, readEmailedLink } from './support/setup.ts'
import { expect, test } from './support/test.ts'
import { verifyVin } from './support/vin.ts'
import { drawStrokes } from './views/draw-strokes.ts'
import { interceptPreloaded } from './views/view.ts'

const vin = '1HGCM82633A004352'
const car = '2003 Honda Accord'

// R-accounts-40, R-cars-9, R-cars-18, R-cars-20, R-cars-29, R-cars-31, R-deals-42, R-deals-53,
// R-deals-60, R-deals-66, R-deals-67, R-deals-68, R-deals-69
test('sells a car, from the listing to both signatures and the completed deal', async ({
  openProfile,
  mailbox,
}) => {
  const sam = aPerson('Sam', 'Seller')
  const bea = aPerson('Bea', 'Buyer')
  const owner = await openProfile({ permissions: ['clipboard-read', 'clipboard-write'] })
  const seller = owner.page
  const buyer = (await openProfile()).page
  let link = ''
  // Replaces a phone's share sheet.
  await seller.addInitScript(() => {
    navigator.share = async (given) => void Reflect.set(window, 'sent', given)
  })

  await test.step('registers the seller, and verifies the email address with the link', async () => {
    await seller.goto('/register/seller')
    await fillAccountForm(seller, sam)
    await seller.getByRole('button', { name: 'Create Account' }).click()
    await expect(seller).toHaveURL(`/email/${encodeURIComponent(sam.email)}`)
    await expect(seller.getByText(sam.email)).toBeVisible()
    await seller.goto(await mailbox.findLink('Verify your email', sam.email))
    await expectHeading(seller, 'Your email has been verified successfully!')
    await seller.getByRole('link', { name: 'Go To Your Dashboard' }).click()
    await expect(seller.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
    await expect(seller.getByText('You have no cars listed. Add a car to get started.')).toBeVisible()
  })

  await test.step('adds the car by its VIN', async () => {
    await seller.getByRole('link', { name: 'Add A Car' }).first().click()
    await fillIn(seller, { 'Vehicle Identification Number (VIN)': vin })
    await verifyVin(owner)
    await expect(seller.getByLabel('Make', { exact: true })).toHaveValue('Honda')
    await expect(seller.getByLabel('Model', { exact: true })).toHaveValue('Accord')
    await expect(seller.getByLabel('Year', { exact: true })).toHaveValue('2003')
    await expect(seller.getByLabel('Trim', { exact: true })).toHaveValue(/EX/)
    await fillIn(seller, { Mileage: '98400', Color: 'Silver', 'Asking price (optional)': '9500' })
    await seller.getByRole('button', { name: 'Add Car' }).click()
    await expect(seller.getByText('Please answer yes or no.')).toBeVisible()
    await seller.getByRole('radio', { name: 'Yes', exact: true }).check()
    await seller.getByRole('button', { name: 'Add Car' }).click()
    const details = seller.getByRole('dialog', { name: 'Confirm Car Details' })
    await expect(details).toContainText(vin)
    await expect(details).toContainText('$9,500')
    await details.getByRole('button', { name: 'Confirm' }).click()
    await expectHeading(seller, 'Car Added Successfully!')
    await expectPrimaryButtons(seller.getByRole('dialog'), 'Share with your buyer')
  })

  await test.step('shares the car', async () => {
    await seller.getByRole('link', { name: 'Share with your buyer' }).click()
    await expect(seller.getByRole('heading', { name: car, level: 1 })).toBeVisible()
    const code = seller.getByRole('img', { name: 'QR code of the link to this car' })
    await expect(code).toBeVisible()
    expect(await code.boundingBox()).toMatchObject({ width: 256, height: 256 })
    await seller.getByRole('button', { name: 'Copy Link' }).click()
    await expect(seller.getByRole('button', { name: 'Copied Link!' })).toBeVisible()
    link = await seller.evaluate(() => navigator.clipboard.readText())
    expect(new URL(link).pathname).toBe('/car')
    expect(link).toContain(`vin=${vin}`)
    await expectPrimaryButtons(seller, 'Send Link')
    await seller.getByRole('button', { name: 'Send Link' }).click()
    const sent = { url: link, title: car, text: `${sam.name} invites you to buy this ${car}` }
    expect(await seller.evaluate(() => Reflect.get(window, 'sent'))).toEqual(sent)
  })

  // R-deals-98
  await test.step('shows picture, price, link and QR code on one phone screen before any request', async () => {
    const before = seller.viewportSize()
    await seller.setViewportSize({ width: 360, height: 740 })
    await seller.evaluate(() => scrollTo(0, 0))
    const main = seller.getByRole('main')
    for (const part of [
      main.locator('img').first(),
      main.getByText('$9,500'),
      main.getByRole('button', { name: 'Send Link' }),
      main.getByRole('img', { name: 'QR code of the link to this car' }),
    ])
      await expect(part).toBeInViewport({ ratio: 1 })
    await expect(seller.getByRole('button', { name: 'Confirm Intended Buyer' })).toBeHidden()
    const [code, buyerInformation] = await Promise.all([
      main.getByRole('img', { name: 'QR code of the link to this car' }).boundingBox(),
      main.getByText('No buyer information available').boundingBox(),
    ])
    expect(buyerInformation?.y).toBeGreaterThan(code?.y ?? Infinity)
    if (before) await seller.setViewportSize(before)
  })

  // R-cars-33, R-cars-34
  await test.step('saves the QR code and prints a flyer', async () => {
    const choose = async (entry: string) => {
      await seller.getByRole('button', { name: 'More ways to share' }).click()
      await seller.getByRole('menuitem', { name: entry }).click()
    }
    for (const kind of ['PNG', 'SVG']) {
      const [saved] = await Promise.all([seller.waitForEvent('download'), choose(`Save QR code as ${kind}`)])
      expect(saved.suggestedFilename()).toBe(`2003-honda-accord-qr.${kind.toLowerCase()}`)
      const code = await readQrCode(readFileSync(await saved.path()))
      expect(code.text).toBe(link)
      expect(code.width).toBeGreaterThanOrEqual(1024)
      // The margin is four modules wide, of about forty.
      expect(code.edge).toBeGreaterThan(0.06)
    }
    await choose('Print a flyer')
    const flyer = seller.getByRole('dialog', { name: 'Print a flyer' })
    await expect(flyer.getByRole('checkbox')).not.toBeChecked()
    const [printed] = await Promise.all([
      seller.waitForEvent('download'),
      flyer.getByRole('button', { name: 'Download PDF' }).click(),
    ])
    expect(printed.suggestedFilename()).toBe('2003-honda-accord-flyer.pdf')
    expect(readFileSync(await printed.path()).toString('latin1', 0, 5)).toBe('%PDF-')
    await expect(flyer).toBeHidden()
  })

  await test.step('adds photos, a caption and an order chosen with the keyboard', async () => {
    const photos = seller.locator('section').filter({ has: seller.getByRole('heading', { name: 'Photos' }) })
    const files = [aPng(900, 600), aPng(640, 480), aPng(480, 640)]
    await photos
      .locator('input[type=file][multiple]')
      .setInputFiles(files.map((buffer, at) => ({ name: `${at}.png`, mimeType: 'image/png', buffer })))
    await expect(photos.getByText('3 of 20')).toBeVisible()
    await expect(photos.getByRole('progressbar')).toHaveCount(0)
    // A touch screen has different instructions.
    const [byMouse, byTouch] = ['Drag them into the order', 'Touch and hold a photo to move it.']
    const devtools = await owner.context.newCDPSession(seller)
    for (const [enabled, shown, hidden] of [
      [true, byTouch, byMouse],
      [false, byMouse, byTouch],
    ] as const) {
      await devtools.send('Emulation.setTouchEmulationEnabled', { enabled })
      await expect(photos.getByText(shown)).toBeVisible()
      await expect(photos.getByText(hidden)).toBeHidden()
    }
    await photos.getByLabel('Caption of photo 2').fill('Odometer')
    await photos.getByLabel('Caption of photo 2').press('Enter')
    await expect(photos.getByRole('img', { name: 'Odometer' })).toBeVisible()
    await photos.getByRole('button', { name: 'Move photo 2 of 3' }).press('Space')
    // Arrow keys work once the list has measured its photos.
    await expect(async () => {
      await seller.keyboard.press('ArrowLeft')
      await expect(seller.getByText('Place 1 of 3.')).toBeAttached({ timeout: 300 })
    }).toPass()
    await seller.keyboard.press('Space')
    await expect(photos.getByRole('listitem').first().getByRole('img', { name: 'Odometer' })).toBeVisible()
    await photos.getByRole('button', { name: 'Delete photo 3' }).click()
    await seller.getByRole('dialog', { name: 'Delete Photo' }).getByRole('button', { name: 'Delete' }).click()
    await expect(photos.getByText('2 of 20')).toBeVisible()
  })

  // R-cars-37
  await test.step('takes a shot of the photo guide, and skips another', async () => {
    const photos = seller.locator('section').filter({ has: seller.getByRole('heading', { name: 'Photos' }) })
    const caption = photos.getByLabel('Caption of photo 3')
    await expect(photos.getByText('1 of 8 taken')).toBeVisible()
    await photos.getByRole('button', { name: 'Skip: Front' }).click()
    await expect(photos.getByRole('button', { name: 'Take: Driver side' })).toBeVisible()
    const [chooser] = await Promise.all([
      seller.waitForEvent('filechooser'),
      photos.getByRole('button', { name: 'VIN plate', exact: true }).click(),
    ])
    await chooser.setFiles({ name: 'plate.png', mimeType: 'image/png', buffer: aPng(320, 240) })
    await expect(caption).toHaveValue('VIN plate')
    await seller.reload()
    await expect(photos.getByText('2 of 8 taken')).toBeVisible()
    await expect(photos.getByRole('button', { name: 'VIN plate, taken' })).toBeVisible()
    await photos.getByRole('button', { name: 'Delete photo 3' }).click()
    await seller.getByRole('dialog', { name: 'Delete Photo' }).getByRole('button', { name: 'Delete' }).click()
    await expect(photos.getByText('1 of 8 taken')).toBeVisible()
  })

  await test.step('describes the car, and shows the public page that the buyer will see', async () => {
    await seller.getByRole('button', { name: 'Describe your car' }).click()
    await fillIn(seller, {
      'About the car': 'New tires last spring.',
      'Number of owners, including you': '2',
    })
    await seller.getByLabel('Who has the title?').selectOption('My lender has it')
    await seller.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(seller.getByText('With the lender')).toBeVisible()
    await seller.getByRole('link', { name: 'See it as your buyer will' }).click()
    await expect(seller.getByText('This is your own car, as your buyer sees it.')).toBeVisible()
    await expect(seller.getByText('New tires last spring.')).toBeVisible()
    await seller.getByRole('link', { name: 'Go To Your Car' }).click()
    await expectHeading(seller, 'Your listing')
  })

  await test.step('shows the car to a signed-out buyer', async () => {
    await buyer.goto(link)
    await expect(buyer.locator('img[src^="/photos/"]').first()).toBeVisible()
    await expect(buyer.getByRole('heading', { level: 1 })).toContainText(sam.name)
    await expect(buyer.getByRole('heading', { level: 1 })).toContainText(car)
    const heading = buyer.getByRole('heading', { name: 'Seller details' })
    const details = buyer.locator('section').filter({ has: heading })
    await expect(details).toContainText(sam.email)
    await expect(details).toContainText(sam.phoneNumber)
    await expect(buyer.getByText('$9,500')).toBeVisible()
    await expect(buyer.getByText('98,400 miles').first()).toBeVisible()
    await expect(buyer.getByText(/^The seller still owes money on this car\./)).toBeVisible()
    await expect(buyer.getByText('New tires last spring.')).toBeVisible()
  })

  await test.step('opens photos in a gallery, navigates with the keyboard, and closes with Escape and Back', async () => {
    const photo = buyer.getByRole('link', { name: 'Odometer' })
    const gallery = buyer.getByRole('dialog', { name: /^Photos of 2003 Honda Accord/ })
    const expectInView = (name: string) =>
      expect(gallery.getByRole('img', { name })).toBeInViewport({ ratio: 0.9 })
    await photo.focus()
    await buyer.keyboard.press('Enter')
    await expect(gallery.locator('[aria-live]')).toHaveText('Photo 1 of 2Odometer')
    await expectInView('Odometer')
    await expect(gallery.getByRole('button', { name: 'Previous photo' })).toBeDisabled()
    await buyer.keyboard.press('ArrowRight')
    await expect(gallery.locator('[aria-live]')).toHaveText('Photo 2 of 2')
    await expectInView('Photo 2 of 2')
    await expect(gallery.getByRole('button', { name: 'Next photo' })).toBeDisabled()
    await buyer.keyboard.press('Home')
    await expectInView('Odometer')
    await buyer.keyboard.press('End')
    await expectInView('Photo 2 of 2')
    await gallery.getByRole('button', { name: 'Previous photo' }).click()
    await expectInView('Odometer')
    // The focus is on a button here, so the arrow keys do not scroll.
    await buyer.keyboard.press('ArrowRight')
    await expectInView('Photo 2 of 2')
    await buyer.keyboard.press('ArrowLeft')
    await expectInView('Odometer')
    await buyer.keyboard.press('Escape')
    await expect(gallery).toBeHidden()
    await expect(photo).toBeFocused()
    await expect.poll(() => buyer.evaluate(() => history.state)).toBeNull()
    await buyer.getByRole('link', { name: 'Photo 2 of 2' }).click()
    // Simulates a swipe by scrolling.
    await expectInView('Photo 2 of 2')
    await gallery
      .locator('[data-slides]')
      .evaluate((slides) => slides.scrollTo({ left: 0, behavior: 'instant' }))
    await expect(gallery.locator('[aria-live]')).toHaveText('Photo 1 of 2Odometer')
    await buyer.goBack()
    await expect(gallery).toBeHidden()
    await expect(buyer).toHaveURL(link)
    await expect(buyer.getByRole('link', { name: 'Photo 2 of 2' })).toBeFocused()
    await buyer.getByRole('link', { name: 'Buy This Car' }).click()
  })

  await test.step('registers the buyer, and verifies the email address with the link', async () => {
    await expectHeading(buyer, 'Interested in buying this car')
    await fillAccountForm(buyer, bea)
    await buyer.getByRole('button', { name: 'Create Account & Buy This Car' }).click()
    await expect(buyer).toHaveURL(`/email/${encodeURIComponent(bea.email)}`)
    await buyer.goto(await mailbox.findLink('Verify your email', bea.email))
    await expectHeading(buyer, 'Your email has been verified successfully!')
    await buyer.getByRole('link', { name: 'Continue With Purchase' }).click()
  })

  await test.step('answers the questions of the purchase', async () => {
    await expectProgress(buyer, 0)
    await buyer.getByText('From the seller').click()
    await expect(buyer.getByText('New tires last spring.')).toBeVisible()
    await expectAboveFold(buyer, 'Do You Have A Trade?')
    await answerQuestion(buyer, 'Do You Have A Trade?', 'No')
    await expectProgress(buyer, 48)
    await expectAboveFold(buyer, 'Do You Need Financing?')
    await answerQuestion(buyer, 'Do You Need Financing?', 'No')
    await expectHeading(buyer, 'Add A Car')
    await expectProgress(buyer, 80)
  })

  await test.step('shows the same stage after a reload, after signing in again and on another device', async () => {
    await buyer.reload()
    await expectHeading(buyer, 'Add A Car')
    const url = buyer.url()
    await signOut(buyer)
    await signIn(buyer, bea)
    await expectHeading(buyer, 'Purchase Dashboard')
    await buyer.getByRole('link', { name: /^Continue purchase/ }).click()
    await expectHeading(buyer, 'Add A Car')

    const { page: phone } = await openProfile({ viewport: { width: 360, height: 740 } })
    await signIn(phone, bea)
    await expectHeading(phone, 'Purchase Dashboard')
    await phone.goto(url)
    await expectHeading(phone, 'Add A Car')
    await expectProgress(phone, 80)
  })

  await test.step('requests the car at a different price', async () => {
    await expect(buyer.getByText('Your offer to the seller')).toBeVisible()
    await expect(buyer.getByLabel("Seller's VIN")).toHaveValue(vin)
    await fillIn(buyer, { 'Agreed price': '9200' })
    await expect(buyer.getByText('You pay $9,200 plus the dealer’s taxes and fees.')).toBeVisible()
    await buyer.getByRole('button', { name: 'Submit Request' }).click()
    await expectProgress(buyer, 96)
    await expect(buyer.getByText('You pay $9,200 plus the dealer’s taxes and fees.')).toBeVisible()
    await expect(buyer.getByText('Asking price $9,500')).toBeVisible()
  })

  await test.step('explains before the first signature what follows both signatures', async () => {
    await buyer.getByRole('button', { name: 'What happens next?' }).click()
    const steps = buyer.getByRole('dialog', { name: 'After both of you have signed' })
    await expect(steps).toContainText('AutoNation will contact both of you')
    await steps.getByRole('button', { name: 'Close' }).last().click()
  })

  await test.step('signs as the buyer, after an error about the missing signature', async () => {
    await buyer.getByRole('button', { name: 'Sign Agreement' }).click()
    await signAgreement(buyer, bea.name, sam.name, draw)
    await expectHeading(buyer, 'You have signed.')
    await expectProgress(buyer, 100)
    await expect(buyer.getByText(`Waiting for ${sam.name} to confirm and sign`)).toBeVisible()
  })

  await test.step('shows the request to the seller, and confirms the buyer', async () => {
    await seller.reload()
    const request = seller.getByRole('table', { name: 'Requests' }).getByRole('row', { name: bea.name })
    await expect(request).toContainText('$9,200')
    await expect(request).toContainText('Has signed this offer')
    await expectPrimaryButtons(seller, 'Confirm Intended Buyer')
    await seller.getByRole('button', { name: 'Confirm Intended Buyer' }).click()
    const dialog = seller.getByRole('dialog', { name: 'Confirm Intended Buyer' })
    await expect(dialog).toContainText(bea.email)
    await dialog.getByRole('button', { name: 'Confirm Buyer' }).click()
    await expectHeading(seller, 'Buyer Confirmed!')
    // The agreement opens by itself.
    await expectPrimaryButtons(seller.getByRole('dialog'), 'I Agree')
  })

  await test.step('passes the deal on when the seller signs', async () => {
    await signAgreement(seller, sam.name, bea.name)
    await expectHeading(seller, 'Your Deal Has Been Passed to AutoNation')
    await expectProgress(seller, 66)
    // R-deals-100
    await expect(seller.getByRole('link', { name: 'Check it yourself' })).toHaveAttribute(
      'href',
      /^\/verify\?agreement=/,
    )
    await expect(seller.getByRole('button', { name: 'Download PDF' })).toBeVisible()
    await expect(seller.getByText('New tires last spring.')).toBeHidden()
    // R-cars-39
    await openCard(seller, 'The dealer: AutoNation')
    await openCard(seller, 'About the car')
    await expect(seller.getByText('AutoNation sets the place with both sides.')).toBeVisible()
    await expect(seller.getByText('New tires last spring.')).toBeVisible()
    await buyer.reload()
    await expectHeading(buyer, 'Signed by both. AutoNation is next.')
    await expect(buyer.getByText('Both of you have signed. AutoNation has your deal')).toBeVisible()
    // R-deals-53
    await expect(buyer.getByText('You pay $9,200 plus the dealer’s taxes and fees.')).toBeVisible()
    for (const page of [seller, buyer]) {
      await expectHeading(page, 'What happens now')
      await page.getByText('The loan is paid off', { exact: true }).click()
      await expect(page.getByText(/^(Your|The seller’s) loan is paid off first\./)).toBeVisible()
    }
  })

  const pkgId = await fetchPackageId(link.slice(link.indexOf('?')), owner)
  await test.step('shows both signatures in the package to both parties', async () => {
    for (const page of [seller, buyer]) {
      await page.goto(`/pkg?pkgId=${pkgId}`)
      await expectHeading(page, 'Final package')
      const paper = page.getByRole('article')
      await expect(paper.getByText(`/s/ ${sam.name}`)).toBeVisible()
      await expect(paper.getByText(`/s/ ${bea.name}`)).toBeVisible()
      await expect(paper.getByRole('img')).toHaveAccessibleName(`Drawn signature of ${bea.name}`)
      await expect(paper).toContainText('$9,200')
      await expect(page.getByText('Passed to dealer, not completed yet')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Complete the deal' })).toBeHidden()
    }
  })

  // R-deals-95
  await test.step('shows the package as a document, and as raw JSON on the other tab', async () => {
    const certificate = sectionOf(buyer, 'Agreement')
    await expect(buyer.getByRole('heading', { name: /^2003 Honda Accord/, level: 2 })).toBeVisible()
    await expect(sectionOf(buyer, 'Parties')).toContainText(sam.email)
    await expect(fact(sectionOf(buyer, 'Terms'), 'Left to pay')).toHaveText('$9,200')
    await expect(fact(certificate, 'Agreement number')).toHaveText(pkgId)
    await expect(sectionOf(buyer, 'Timeline').getByRole('listitem')).toHaveCount(3)
    const raw = buyer.getByRole('tab', { name: 'Raw JSON' })
    await raw.press('Enter')
    const shown = JSON.parse((await buyer.getByRole('tabpanel').textContent()) ?? '')
    expect(shown).toEqual(await callApi({ context: buyer.context() }, `GET /progress/pkg/${pkgId}/1`))
    await expect(buyer.getByRole('article')).toBeHidden()
    await raw.press('ArrowLeft')
    await certificate.getByRole('link', { name: 'Check it yourself' }).click()
    await expectHeading(buyer, 'This agreement is in effect')
  })

  // R-deals-95
  await test.step('says nothing about what an earlier text did not name', async () => {
    const readsPackage = interceptPreloaded(`**/progress/pkg/${pkgId}/1`, async (route) => {
      const { agreement, ...deal } = await (await route.fetch()).json()
      const sheet = JSON.parse(agreement.sheet)
      const { trades, leftToPay, sellerOwes, ...terms } = sheet.terms
      const textVersion = '2026-11-1'
      const older = {
        terms: { ...terms, textVersion },
        agreement: { ...sheet.agreement, version: textVersion },
      }
      await route.fulfill({ json: { ...deal, agreement: { ...agreement, sheet: JSON.stringify(older) } } })
    })
    await readsPackage(buyer)
    await buyer.goto(`/pkg?pkgId=${pkgId}`)
    await expect(fact(sectionOf(buyer, 'Terms'), 'Agreed price')).toHaveText('$9,200')
    await expect(buyer.getByRole('article')).toContainText('Version 2026-11-1')
    for (const term of ['Left to pay', 'Seller’s loan']) await expect(buyer.getByText(term)).toHaveCount(0)
    await buyer.unrouteAll()
  })

  await test.step('lets the administrator read the package and complete the deal', async () => {
    const administrator = mailbox.page
    await administrator.goto(`/pkg?pkgId=${pkgId}`)
    await expectHeading(administrator, 'Final package')
    await expect(administrator.getByRole('article')).toContainText('$9,200')
    await expect(administrator.getByRole('button', { name: 'Complete the deal' })).toBeVisible()
    await administrator.goto('/dev')
    const deals = administrator.getByRole('table', { name: 'List Of Sold Cars' }).getByRole('row')
    const deal = deals.filter({ hasText: bea.name })
    await deal.getByRole('button', { name: 'Complete the deal' }).click()
    const dialog = administrator.getByRole('dialog', { name: 'Complete the deal' })
    await expect(dialog).toContainText(car)
    await dialog.getByRole('button', { name: 'Complete the deal' }).click()
    await expect(dialog).toBeHidden()
    await expect(deal).toContainText('Completed')
    await administrator.goto('/listofcars')
    await expect(administrator.getByRole('row', { name: bea.name }).filter({ hasText: vin })).toContainText(
      'Honda Accord (2003)',
    )
    const [file] = await Promise.all([
      administrator.waitForEvent('download'),
      administrator.getByRole('button', { name: 'Export as CSV' }).click(),
    ])
    expect(readFileSync(await file.path(), 'utf8')).toContain(
      `${sam.name},${bea.name},${vin},Honda Accord (2003),No Trades,Completed\r\n`,
    )
  })

  await test.step('shows the completion to both parties', async () => {
    await seller.goto('/home')
    await seller.getByRole('link', { name: /^(Open|View) deal/ }).click()
    await expectHeading(seller, 'Congratulations! Your deal is complete!')
    await expectProgress(seller, 100)
    await buyer.goto('/home')
    await expect(buyer.getByRole('row', { name: car })).toContainText('Completed')
    await buyer.getByRole('link', { name: /^View deal/ }).click()
    await expect(buyer.getByText('The dealer has completed the sale.')).toBeVisible()
    await expectHeading(buyer, 'Your deal is complete!')
  })

  await test.step('keeps the signed agreement when the buyer withdraws the consent to sign electronically', async () => {
    await buyer.goto('/settings')
    await expect(buyer.getByText(/^You consented to sign electronically on /)).toBeVisible()
    await buyer.getByRole('button', { name: 'Withdraw consent' }).click()
    const dialog = buyer.getByRole('dialog', { name: 'Withdraw your consent' })
    await expect(dialog).toContainText('What you have already signed stays valid.')
    await dialog.getByRole('button', { name: 'Withdraw consent' }).click()
    await expect(buyer.getByText(/^You withdrew your consent on /)).toBeVisible()
    await expect(buyer.getByRole('button', { name: 'Withdraw consent' })).toBeHidden()
    await buyer.goto(`/pkg?pkgId=${pkgId}`)
    await expect(buyer.getByRole('article').getByText(`/s/ ${bea.name}`)).toBeVisible()
  })

  // R-deals-111
  await test.step('offers the agreement before the account is deleted, and opens it by the link in the email', async () => {
    const { pathname } = await readEmailedLink('/agreements/', bea.email, { context: mailbox.page.context() })
    await buyer.goto('/settings')
    await buyer.getByRole('button', { name: 'Delete Account' }).click()
    const dialog = buyer.getByRole('dialog', { name: 'Delete Account' })
    const saved = dialog.getByRole('region', { name: 'Save your signed agreements first' })
    const [file] = await Promise.all([
      buyer.waitForEvent('download'),
      saved.getByRole('button', { name: new RegExp(`^Download PDF: ${car}`) }).click(),
    ])
    const bytes = readFileSync(await file.path())
    expect(file.suggestedFilename()).toBe(`vehicle-sale-agreement-${vin}.pdf`)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectHeading(buyer, 'Log In')
    const answer = await buyer.context().request.get(pathname)
    expect((await answer.body()).equals(bytes)).toBe(true)
  })
})

const sectionOf = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true, level: 2 }) })

const fact = (container: Locator, term: string) =>
  container.locator('dt', { hasText: term }).locator('+ dd').first()

/** Draws two strokes, undoes one, clears the drawing and draws again. */
async function draw(page: Page, agreement: Locator, name: string) {
  await agreement.getByRole('button', { name: 'Draw your signature too' }).click()
  const drawn = agreement.getByRole('article').getByRole('img', { name: `Drawn signature of ${name}` })
  await drawStrokes(page)
  const strokes = async () => (await drawn.locator('path').getAttribute('d'))?.match(/M/g)?.length
  await expect.poll(strokes).toBe(2)
  const both = (await drawn.locator('path').getAttribute('d')) ?? ''
  await agreement.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => drawn.locator('path').getAttribute('d')).not.toBe(both)
  expect(both.startsWith((await drawn.locator('path').getAttribute('d')) ?? 'nothing')).toBe(true)
  await agreement.getByRole('button', { name: 'Clear' }).click()
  await expect(drawn).toBeHidden()
  await drawStrokes(page)
  await expect(drawn).toBeVisible()
}

/** Signs in the open agreement, after the error of a missing signature. */
async function signAgreement(page: Page, name: string, other: string, beforeSending?: typeof draw) {
  const agreement = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
  const summary = agreement.getByRole('group', { name: 'What you are signing' })
  await onPhone(page, async () => {
    for (const fact of ['Agreed price$9,200', 'Left to pay$9,200', other])
      await expect(summary.getByText(fact)).toBeInViewport({ ratio: 1 })
  })
  await fillIn(agreement, { Name: name })
  await agreement.getByRole('button', { name: 'I Agree' }).click()
  await expect(agreement.getByRole('alert')).toHaveText(
    'Please enter both your Name and Signature before signing.',
  )
  // The consent is asked for before the first signature.
  await expect(agreement).toContainText('A paper copy costs nothing.')
  await expect(agreement).toContainText('Postal address for paper copies: Sample address, not for mail:')
  const [draft] = await Promise.all([
    page.waitForEvent('download'),
    agreement.getByRole('button', { name: 'Download this sheet as a PDF' }).click(),
  ])
  expect(draft.suggestedFilename()).toMatch(/^draft-vehicle-sale-agreement-\w{17}\.pdf$/)
  await fillIn(agreement, { Signature: `/s/ ${name}` })
  await beforeSending?.(page, agreement, name)
  await agreement.getByRole('button', { name: 'I Agree' }).click()
  await expect(agreement).toBeHidden()
}

/** Expects the question and both answers on a phone's first screen, with nothing in front of them. */
async function expectAboveFold(page: Page, question: string) {
  await onPhone(page, async () => {
    await page.evaluate(() => scrollTo(0, 0))
    const heading = page.getByRole('heading', { name: question })
    for (const part of [heading, answerButton(page, 'Yes'), answerButton(page, 'No')])
      await expect.poll(() => part.evaluate(isUncovered)).toBe(true)
    await expect(page.getByRole('listitem').filter({ hasText: 'Offer and sign' })).toBeVisible()
  })
}

async function onPhone(page: Page, check: () => Promise<void>) {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 740 })
  await check()
  if (before) await page.setViewportSize(before)
}

function isUncovered(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return [top + 1, bottom - 1].every((y) =>
    element.contains(document.elementFromPoint((left + right) / 2, y)),
  )
}
