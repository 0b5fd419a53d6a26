import { readFileSync } from 'node:fs'
import { formatWallTime, hourMs } from '@keyturn/contract/shared/dates.ts'
import { taxNoteOf } from '@keyturn/contract/trades/tax-notes.ts'
import type { Locator, Page } from '@playwright/test'
import { aTradeForm } from '../support/trades.ts'
import { answerQuestion, expectProgress, signAgreement, signOpenAgreement } from './support/deal.ts'
import { fetchPackageId, signInAs } from './support/demo.ts'
import { expectHeading } from './support/page/heading.ts'
import { openCard } from './support/page/open-card.ts'
import { aPerson, fillIn } from './support/person.ts'
import { expectPrimaryButtons } from './support/primary-buttons.ts'
import {
  callApi,
  listCar,
  registerAndVerify,
  saleParams,
  signInAsAdministrator,
  startPurchase,
} from './support/setup.ts'
import { expect, type Profile, test } from './support/test.ts'
import { createTrade, tradeRequestOf } from './support/trade.ts'
import { verifyVin } from './support/vin.ts'

const pickup = '1FTFW1ET9DFC10312'

// R-trades-10, R-trades-16, R-trades-17
test('submits a trade, accepts an offer for it and buys a car with it', async ({ openProfile, product }) => {
  const [sam, bea] = [aPerson('Sam', 'Seller'), aPerson('Bea', 'Buyer')]
  const [administrator, seller, buyer, victor] = [
    await openProfile(),
    await openProfile(),
    await openProfile(),
    await openProfile(),
  ]
  await signInAsAdministrator(administrator, product)
  await registerAndVerify(seller, administrator, 'SELLER', sam)
  await registerAndVerify(buyer, administrator, 'BUYER', bea)
  await signInAs('victor', victor)
  const link = await listCar(seller, {
    vin: '1HGCV1F3XJA084217',
    make: 'Honda',
    carModel: 'Accord',
    year: 2018,
    price: 19_500,
  })
  const { page } = buyer

  await test.step('adds the pickup by its VIN during a purchase', async () => {
    await page.goto(`/buyer?${link}`)
    await answerQuestion(page, 'Do You Have A Trade?', 'Yes')
    await page.getByRole('button', { name: 'OR Add A New Trade' }).click()
    await fillIn(page, { 'Enter your Vehicle Identification Number (VIN)': pickup })
    await verifyVin(buyer)
    await expect(page.getByLabel('Make', { exact: true })).toHaveValue('Ford')
    await expect(page.getByLabel('Model', { exact: true })).toHaveValue('F-150')
    await expect(page.getByLabel('Year', { exact: true })).toHaveValue('2013')
    await fillIn(page, {
      Trim: 'XLT',
      Mileage: '91000',
      'Exterior color': 'Blue',
      'Zipcode of the car': '48201',
      'A message for the wholesaler (optional)': 'New brakes all round.',
    })
    await expect(page.getByLabel('Lender (optional)')).toBeHidden()
    await page.getByRole('radio', { name: 'Yes', exact: true }).check()
    await fillIn(page, { 'Payoff amount (optional)': '1000', 'Lender (optional)': 'Ally Bank' })
    const owed = 'Yes, $1,000 to Ally Bank'
    await submitTrade(page, [pickup, 'Ford', 'F-150', 'XLT', '2013', '91,000', 'Blue', '48201', owed])
    await expectPrimaryButtons(page.getByRole('dialog'), 'Continue')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await expectPending(page)
    await page.getByRole('link', { name: 'View Trades' }).click()
    await expect(rowOf(page)).toContainText('PENDING')
  })

  const other = await buyer.context.newPage()
  await test.step('shows the pending trade in another tab', async () => {
    await other.goto(`/buyer?${link}`)
    await expectPending(other)
    await page.bringToFront()
  })

  await test.step('offers $20,000 as wholesaler', async () => {
    await victor.page.goto('/wholesaler')
    const request = tradeRequestOf(victor.page, bea.name)
    await expect(request).toContainText(bea.email)
    await expect(request).toContainText('New brakes all round.')
    await request.getByRole('button', { name: 'Submit Offer: 2013 Ford F-150 XLT' }).click()
    const dialog = victor.page.getByRole('dialog', { name: 'Submit Trade-In Offer' })
    await fillIn(dialog, { 'Offer amount': '20000' })
    await expect(fact(dialog, 'Sales Tax Credit')).toHaveText('$600.00')
    await dialog.getByRole('button', { name: 'Submit Offer' }).click()
    await expect(dialog).toContainText('Offered $20,000 for the 2013 Ford F-150 XLT.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(request).toContainText('OFFERED')
  })

  const offer = page.getByRole('dialog', { name: 'Offer Details' })
  await test.step('counters at $21,500', async () => {
    await page.getByRole('button', { name: 'Answer offer: 2013 Ford F-150 XLT' }).click()
    await expect(fact(offer, 'Trade Credit')).toHaveText('$20,000')
    // R-trades-39
    await offer.getByText('Payoff: Yes, $1,000 to Ally Bank').click()
    for (const [answer, title] of [
      ['No', 'Payoff: No'],
      ['Yes', 'Payoff: Yes, $1,000 to Ally Bank'],
    ] as const) {
      await offer.getByRole('radio', { name: answer, exact: true }).check()
      await offer.getByRole('button', { name: 'Save payoff' }).click()
      await expect(offer.getByText(title, { exact: true })).toBeVisible()
    }
    await offer.getByRole('button', { name: 'Counter Offer' }).click()
    const counter = offer.getByRole('button', { name: 'Counter', exact: true })
    await expect(counter).toBeDisabled()
    await expect(offer.getByRole('button', { name: 'Accept' })).toBeEnabled()
    await fillIn(offer, { 'Your counter offer': '21500' })
    await expect(offer.getByRole('button', { name: 'Accept' })).toBeDisabled()
    await counter.click()
    await expect(page.getByRole('dialog', { name: 'Counter Offer' })).toContainText('COUNTERED')
  })

  await test.step('notifies the wholesaler, who matches the counter offer', async () => {
    const request = tradeRequestOf(victor.page, bea.name)
    await expect(request).toContainText('COUNTER OFFER')
    await victor.page.goto('/help')
    await victor.page.getByRole('button', { name: /^Notifications, / }).click()
    await victor.page
      .getByRole('link', { name: 'The owner of the 2013 Ford F-150 XLT countered your offer with $21,500.' })
      .click()
    const dialog = victor.page.getByRole('dialog', { name: 'Submit Trade-In Offer' })
    await dialog.getByRole('button', { name: 'Match counter ($21,500)' }).click()
    await dialog.getByRole('button', { name: 'Submit Offer' }).click()
    await expect(dialog).toContainText('Offered $21,500 for the 2013 Ford F-150 XLT.')
  })

  await test.step('updates the open dialog of the buyer, who accepts', async () => {
    const stale = page.getByRole('dialog', { name: 'Counter Offer' })
    await expect(stale).toContainText('This has changed since you opened it.')
    await stale.getByRole('button', { name: 'Show the current state' }).click()
    await offer.getByRole('button', { name: 'Accept' }).click()
    const accepted = page.getByRole('dialog', { name: 'Accepted Offer' })
    await expect(accepted).toContainText('You have accepted the trade offer below.')
    await expect(fact(accepted, 'Trade Credit')).toHaveText('$21,500')
    await expect(fact(accepted, 'Sales Tax Credit')).toHaveText('$600.00')
    await expect(fact(accepted, 'Sales Tax Rate').first()).toHaveText('6.00%')
    await expect(fact(accepted, 'Total Trade Value')).toHaveText('$22,100.00')
    await accepted.getByText('History').click()
    await expect(accepted.getByRole('listitem')).toHaveCount(5)
    await accepted.getByRole('link', { name: 'Continue Purchase of 2018 Honda Accord' }).click()
  })

  const camry = (await signInAs('maya', await openProfile()))('camry')
  await test.step('selects the same trade in another purchase', async () => {
    await startPurchase(buyer, camry)
    const answerStep = (step: number[], answers: object) =>
      callApi(buyer, 'PATCH /progress/update', {
        ...saleParams(camry),
        data: { userType: 'BUYER', step, ...answers },
      })
    await answerStep([0, 1], { hasTrade: true })
    await answerStep([0, 1, 2, 3], { tradeVins: [pickup] })
    await answerStep([0, 1, 2, 3, 4, 5], { needsFinancing: false })
  })

  await test.step('requests the car with the trade, which is selected in both tabs, and signs', async () => {
    for (const tab of [other, page]) await expect(pickupIn(tab)).toBeChecked()
    await other.close()
    await expect(pickupIn(page)).toHaveAccessibleDescription(
      '$21,500. You owe $1,000 on it, which is added to what is left to pay.',
    )
    await pickupIn(page).uncheck()
    await expect(page.getByRole('button', { name: 'Continue', exact: true })).toBeHidden()
    await pickupIn(page).check()
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await answerQuestion(page, 'Do You Need Financing?', 'No')
    await expectProgress(page, 80)
    await fillIn(page, { 'Agreed price': '22000' })
    const owed = 'The $1,000 owed on the trade-in is counted.'
    await expect(page.getByText(`You pay $1,500 plus the dealer’s taxes and fees. ${owed}`)).toBeVisible()
    await fillIn(page, { 'Agreed price': '19200' })
    const isCovered = `You pay $0 plus the dealer’s taxes and fees. The trade-in is worth $1,300 more than the price and what is stated as owed on it. ${owed}`
    await expect(page.getByText(isCovered)).toBeVisible()
    await page.getByRole('button', { name: 'Submit Request' }).click()
    await expectProgress(page, 96)
    await expect(page.getByText(isCovered)).toBeVisible()
    await signAgreement(page, bea.name, '$19,200')
    await expect(page.getByText(`Waiting for ${sam.name} to confirm and sign`)).toBeVisible()
  })

  await test.step('names the request with the trade in the other purchase, which continues without a trade', async () => {
    buyer.watch.allowErrors(/^POST \/cars\/request 409$/)
    await page.goto(`/buyer?${camry}`)
    await fillIn(page, { 'Agreed price': '17000' })
    await page.getByRole('button', { name: 'Submit Request' }).click()
    const promised = page.getByText('is already part of your request for the 2018 Honda Accord')
    await expect(promised).toBeVisible()
    await page.getByRole('button', { name: 'Choose a trade' }).click()
    await expect(page.getByText('You have no accepted trade offers.')).toBeVisible()
    await expect(page.getByText('is part of your request for the 2018 Honda Accord')).toBeVisible()
    const lead = page.getByRole('link', { name: 'Continue Purchase of 2018 Honda Accord' })
    await expect(lead).toHaveAttribute('href', new RegExp(link.replace('?', '')))
    await page.goBack()
    await expect(page.getByLabel('Agreed price')).toHaveValue('17,000')
    await page.getByRole('button', { name: 'Submit Request' }).click()
    await page.getByRole('button', { name: 'Continue without a trade' }).click()
    await expect(promised).toBeHidden()
    await expect(page.getByRole('button', { name: 'Submit Request' })).toBeEnabled()
  })

  await test.step('shows the trade in the request to the seller, who confirms and signs', async () => {
    await seller.page.goto(`/car/seller?${link}`)
    const request = seller.page.getByRole('table', { name: 'Requests' }).getByRole('row', { name: bea.name })
    await expect(request).toContainText('2013 Ford F-150 XLT, $21,500')
    await expect(request).toContainText('$0 left to pay after the trade-in. The $1,000 owed on')
    await request.getByRole('button', { name: 'Confirm Intended Buyer' }).click()
    const dialog = seller.page.getByRole('dialog', { name: 'Confirm Intended Buyer' })
    await expect(fact(dialog, 'Trade-in')).toHaveText('2013 Ford F-150 XLT, $21,500')
    await dialog.getByRole('button', { name: 'Confirm Buyer' }).click()
    await signOpenAgreement(seller.page, sam.name, '$19,200')
    await expectHeading(seller.page, 'Your Deal Has Been Passed to AutoNation')
  })

  await test.step('shows the trade in the package to both parties', async () => {
    const pkgId = await fetchPackageId(link, buyer)
    const { trades } = await callApi(buyer, `GET /progress/pkg/${pkgId}/1`)
    expect(trades).toMatchObject([{ vin: pickup, price: 21_500, salesTax: 600, payoffAmount: 1000 }])
    for (const { page: reader } of [seller, buyer]) {
      await reader.goto(`/pkg?pkgId=${pkgId}`)
      const card = reader
        .locator('section')
        .filter({ has: reader.getByRole('heading', { name: 'Trade-ins', exact: true }) })
      await expect(card.getByRole('heading', { name: '2013 Ford F-150 XLT' })).toBeVisible()
      await expect(card).toContainText(pickup)
      await expect(fact(card, 'Accepted offer')).toHaveText('$21,500')
      await expect(fact(card, 'Sales tax credit')).toHaveText('$600.00')
    }
  })

  // R-deals-77
  await test.step('shows each step of the dealer desk on both pages', async () => {
    const desk = administrator.page
    const pkgId = await fetchPackageId(link, buyer)
    await seller.page.goto(`/car/seller?${link}`)
    await page.goto(`/buyer?${link}`)
    const open = desk.getByRole('table', { name: 'Waiting' }).locator(`a[href$="${pkgId}"]`)
    await expect(async () => {
      await desk.goto('/dealer')
      await expect(open).toBeVisible({ timeout: 3000 })
    }).toPass()
    await open.click()
    await expect(desk.getByRole('heading', { name: '2018 Honda Accord LE' })).toBeVisible()
    for (const reader of [seller.page, page]) await openCard(reader, 'Timeline')
    for (const { name, fields = {}, shown, event, done } of deskSteps) {
      if (done)
        for (const reader of [seller.page, page]) await expect(reader.getByText(done).first()).toBeVisible()
      await desk.getByRole('button', { name, exact: true }).click()
      const dialog = desk.getByRole('dialog', { name })
      await fillIn(dialog, fields)
      await dialog.getByRole('button', { name, exact: true }).click()
      await expect(dialog).toBeHidden()
      for (const reader of [seller.page, page]) {
        await expect(reader.getByText(shown, { exact: true }).first()).toBeVisible()
        await expect(reader.getByRole('list', { name: 'Timeline' })).toContainText(event)
        if (done) await expect(reader.getByText(done)).toHaveCount(0)
        if (name === 'Make an appointment') await expectAppointment(reader)
      }
    }
    await expect(desk.getByText('There is nothing more to report on this deal.')).toBeVisible()
    await expectHeading(seller.page, 'Congratulations! Your deal is complete!')
    await expect(seller.page.locator('summary', { hasText: 'Paperwork' })).toBeVisible()
    await expect(page.getByText('The dealer has completed the sale.')).toBeVisible()
  })

  // R-trades-15, R-trades-37
  await test.step('says that the trade was traded in, and keeps it', async () => {
    await page.goto('/trade')
    await page.getByRole('button', { name: 'View offer: 2013 Ford F-150 XLT' }).click()
    const accepted = page.getByRole('dialog', { name: 'Accepted Offer' })
    await expect(accepted).toContainText('when you bought the 2018 Honda Accord LE. That sale is complete.')
    await expect(accepted).toContainText('It is not paid out.')
    await expect(accepted.getByRole('link', { name: /^Continue Purchase/ })).toHaveCount(0)
    await expect(accepted.getByRole('link', { name: 'View Purchase of 2018 Honda Accord' })).toBeVisible()
    await accepted.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Delete the request for your 2013 Ford F-150 XLT' }).click()
    const deletion = page.getByRole('dialog', { name: 'Delete Request' })
    await expect(deletion).toContainText('So this trade cannot be deleted.')
    await expect(deletion.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  })
})

// R-cars-14, R-trades-31
test('accepts a trade with an unknown VIN from a seller, who forfeits the counter offer', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const carl = aPerson('Carl', 'Coast')
  const [administrator, buyer, victor] = [await openProfile(), await openProfile(), await openProfile()]
  await signInAsAdministrator(administrator, product)
  await registerAndVerify(buyer, administrator, 'SELLER', carl)
  await signInAs('victor', victor)
  const link = (await signInAs('maya', await openProfile()))('camry')
  const { page } = buyer

  await test.step('submits details that were typed by hand', async () => {
    buyer.watch.allowErrors(/^GET \/vin\/\w+ 422$/)
    await page.goto(`/buyer?${link}`)
    await answerQuestion(page, 'Do You Have A Trade?', 'Yes')
    await page.getByRole('link', { name: 'OR Add A New Trade' }).click()
    await fillIn(page, { 'Enter your Vehicle Identification Number (VIN)': 'F10GLW48210' })
    await page.getByRole('button', { name: 'Verify VIN' }).click()
    await expect(page.getByText('Invalid VIN', { exact: true })).toBeVisible()
    await fillIn(page, {
      Make: 'Ford',
      Model: 'F-100',
      Trim: 'Custom',
      Year: '1975',
      Mileage: '91000',
      'Exterior color': 'Red',
      'Zipcode of the car': '90210',
    })
    await submitTrade(page, ['F10GLW48210', 'F-100', '1975', '90210'])
  })

  await test.step('waits for the trade in the purchase, with links to the trades and back', async () => {
    await expect(page.getByRole('link', { name: 'Go To Trade Dashboard' })).toBeVisible()
    await expectPrimaryButtons(page.getByRole('dialog'), 'Continue Purchase of')
    await page.getByRole('button', { name: /^Continue Purchase of/ }).click()
    await expectPending(page)
    await page.getByRole('link', { name: 'View Trades' }).click()
    await page.getByRole('link', { name: 'Back to your purchase' }).click()
    await expectPending(page)
    await page.getByRole('link', { name: 'View Trades' }).click()
  })

  await test.step('forfeits a counter offer after a confirmation, which only the administrator can undo', async () => {
    const request = await findTrade(victor, carl.name)
    await callApi(victor, `PATCH /trades/${request}`, { status: 'OFFERED', price: 19_000 })
    await page.getByRole('button', { name: 'Answer offer: 1975 Ford F-100 Custom' }).click()
    const offer = page.getByRole('dialog', { name: 'Offer Details' })
    await offer.getByRole('button', { name: 'Counter Offer' }).click()
    await fillIn(offer, { 'Your counter offer': '25000' })
    await offer.getByRole('button', { name: 'Counter', exact: true }).click()
    const counter = page.getByRole('dialog', { name: 'Counter Offer' })
    await counter.getByRole('button', { name: 'Forfeit' }).click()
    await expect(counter).toContainText('only the administrator can undo it')
    await counter.getByRole('button', { name: 'Keep my counter offer' }).click()
    await counter.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('cell', { name: 'COUNTERED' }).click()
    await counter.getByRole('button', { name: 'Forfeit' }).click()
    await counter.getByRole('button', { name: 'Forfeit' }).click()
    const rejected = page.getByRole('dialog', { name: 'Forfeited Counter Offer' })
    await expect(rejected).toContainText('A representative will reach out to you shortly')
    await expect(fact(rejected, 'The wholesaler’s offer')).toHaveText('$19,000')
    await expect(rejected).toContainText('with a counter offer of $25,000, which you then forfeited.')
    await expect(rejected.getByRole('button', { name: 'Reset Offer' })).toBeHidden()
    await signInAsAdministrator(buyer, product)
    await page.reload()
    await page.getByRole('cell', { name: 'REJECTED' }).click()
    await rejected.getByRole('button', { name: 'Reset Offer' }).click()
    await expect(page.getByRole('dialog', { name: 'Pending Trade Offer' })).toContainText('PENDING')
    await callApi(buyer, 'GET /auth/admin/logout')
    await page.getByRole('button', { name: 'Close' }).last().click()
  })
})

// R-cars-9, R-trades-16
for (const { path, submit, confirm, failed, endpoint, values } of [
  {
    path: '/car/input',
    submit: 'Add Car',
    confirm: 'Confirm',
    failed: 'Car not added',
    endpoint: '**/cars/input',
    values: {
      'Vehicle Identification Number (VIN)': 'F10GLW48211',
      Make: 'Ford',
      Model: 'F-100',
      Year: '1975',
      Mileage: '91000',
      Color: 'Red',
      Trim: 'Custom',
    },
  },
  {
    path: '/trade/input',
    submit: 'Submit trade Info',
    confirm: 'Confirm Trade Info',
    failed: 'Trade not submitted',
    endpoint: '**/trades',
    values: {
      'Enter your Vehicle Identification Number (VIN)': 'F10GLW48212',
      Make: 'Ford',
      Model: 'F-100',
      Trim: 'Custom',
      Year: '1975',
      Mileage: '91,000',
      'Exterior color': 'Red',
      'Zipcode of the car': '90210',
    },
  },
])
  test(`empties ${path} after an error, and puts back what was typed`, async ({ openProfile }) => {
    const profile = await openProfile()
    const { page, watch } = profile
    await signInAs('nora', profile)
    watch.allowErrors(/^POST .* (429|500)$/)
    await page.goto(path)
    await fillIn(page, values)
    if (path === '/car/input') await page.getByRole('radio', { name: 'No', exact: true }).check()
    const send = async () => {
      await page.getByRole('button', { name: submit }).click()
      await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click()
    }
    const dialog = page.getByRole('dialog', { name: failed })
    for (const status of [500, 429]) {
      const answer = { status, json: { errorCode: 'Unavailable', message: 'Please wait a minute.' } }
      await page.route(
        endpoint,
        (route) => (route.request().method() === 'POST' ? route.fulfill(answer) : route.fallback()),
        { times: 1 },
      )
      await send()
      await expect(dialog).toContainText('An error occurred. Please try again.')
      await expect(dialog).toContainText('Please wait a minute.')
      await dialog.getByRole('button', { name: 'Try Again' }).click()
      await expect(dialog).toBeHidden()
      for (const name of Object.keys(values))
        await expect(page.getByLabel(name, { exact: true })).toHaveValue('')
      await page.getByRole('button', { name: 'Put back what I typed' }).click()
      for (const [name, value] of Object.entries(values))
        await expect(page.getByLabel(name, { exact: true })).toHaveValue(
          name === 'Mileage' ? '91,000' : value,
        )
      await expect(page.getByRole('button', { name: 'Put back what I typed' })).toBeHidden()
    }
    await send()
    await expect(
      page.getByRole('heading', { name: /Trade Submitted!|Car Added Successfully!/ }),
    ).toBeVisible()
  })

// R-trades-34, R-trades-35, R-trades-36
test('withdraws a mistyped offer, and shows wholesalers whose amount is whose', async ({
  openProfile,
  product,
}) => {
  const one = await createTrade(openProfile, product, '1FTFW1ET9DFC20611')
  const { victor, bea, owner } = one
  await createTrade(openProfile, product, '1FTFW1ET9DFC20611')
  const request = tradeRequestOf(victor.page, bea.name)
  await victor.page.goto('/wholesaler')
  await expect(request).toContainText('Another owner has submitted this VIN too.')
  await request.getByRole('button', { name: /^Submit Offer/ }).click()
  const dialog = victor.page.getByRole('dialog', { name: 'Submit Trade-In Offer' })

  await test.step('never comes back to a request that was skipped', async () => {
    const seen: string[] = []
    for (;;) {
      seen.push((await dialog.textContent()) ?? '')
      const skip = dialog.getByRole('button', { name: 'Next request' })
      if (!(await skip.isVisible())) break
      await skip.click()
    }
    expect(seen.length).toBeGreaterThan(1)
    expect(new Set(seen).size).toBe(seen.length)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('withdraws an offer from the row', async () => {
    await request.getByRole('button', { name: /^Submit Offer/ }).click()
    await fillIn(dialog, { 'Offer amount': '80000' })
    await dialog.getByRole('button', { name: 'Submit Offer' }).click()
    const last = dialog.getByRole('button', { name: 'Withdraw that offer' })
    await expect(last).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(request).toContainText('Your offer')
    await request.getByRole('button', { name: /^Withdraw Offer/ }).click()
    const question = victor.page.getByRole('dialog', { name: 'Withdraw Offer' })
    await expect(question).toContainText('Withdraw your offer of $80,000')
    await question.getByRole('button', { name: 'Withdraw Offer' }).click()
    await expect(question).toBeHidden()
    await expect(request).toContainText('An offer of $80,000 was withdrawn on')
  })

  await test.step('tells the owner, who counters the next offer', async () => {
    await owner.page.goto('/trade')
    await owner.page.getByRole('button', { name: /^View request/ }).click()
    await expect(owner.page.getByRole('dialog')).toContainText('The wholesaler withdrew the offer of $80,000')
    await one.makeOffer(8000)
    await one.counterOffer(9000)
    await expect(request).toContainText('COUNTER OFFER')
    await expect(fact(request, 'Your offer')).toHaveText('$8,000')
    await expect(fact(request, 'Counter offer')).toHaveText('$9,000')
  })
})

// R-trades-40
test('shows on the offer and on the credit what the law of twelve places does instead', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { owner, victor } = await createTrade(openProfile, product, '1FTFW1ET9DFC20300')
  const places = `AL 35203, DC 20001, GA 30303, HI 96813, IA 50309, MD 21201, MI 48201, MS 39201, NC 27601,
    NM 87501, OH 43201, SC 29201`
  for (const [index, place] of places.split(/,\s*/).entries()) {
    const [state = '', zipCode] = place.split(' ')
    const vin = `1FTFW1ET9DFC203${String(index + 1).padStart(2, '0')}`
    const { _id } = await callApi(owner, 'POST /trades', aTradeForm({ vin, zipCode }))
    const note = taxNoteOf(state)
    await victor.page.goto(`/wholesaler?trade=${_id}`)
    const dialog = victor.page.getByRole('dialog', { name: 'Submit Trade-In Offer' })
    await expect(dialog).toContainText(note?.sentence ?? state)
    await expect(dialog).toContainText(/State rate of \d\.\d\d%, as of \d\d\/\d\d\/20\d\d\./)
    await callApi(victor, `PATCH /trades/${_id}`, { status: 'OFFERED', price: 20_000 })
    await owner.page.goto(`/trade?trade=${_id}`)
    const offer = owner.page.getByRole('dialog', { name: 'Offer Details' })
    await expect(offer).toContainText(note?.sentence ?? state)
    await expect(offer.getByRole('link', { name: note?.source.name ?? state })).toBeVisible()
  }
})

/** Sends the form, checks the values in the dialog, and confirms them. */
async function submitTrade(page: Page, values: string[]) {
  await page.getByRole('button', { name: 'Submit trade Info' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm Trade Info' })
  await expect(confirm.getByRole('definition')).toContainText(values)
  await confirm.getByRole('button', { name: 'Confirm Trade Info' }).click()
  await expect(page.getByRole('heading', { name: 'Trade Submitted!' })).toBeVisible()
}

/** Expects stage 3, which the buyer cannot leave until the trade is answered. */
async function expectPending(page: Page) {
  await expect(page.getByRole('heading', { name: 'TRADE APPROVAL PENDING' })).toBeVisible()
  await expectProgress(page, 48)
  await expect(page.getByRole('button', { name: 'Back', exact: true })).toBeDisabled()
}

type DeskStep = {
  name: string
  fields?: Record<string, string>
  shown: string | RegExp
  /** What both parties read in the timeline. */
  event: string
  /** The upcoming step that this one completes. */
  done?: string | RegExp
}

/** Tomorrow: a past appointment is over. */
const appointment = `${new Date(Date.now() + 24 * hourMs).toISOString().slice(0, 10)}T15:00`

const deskSteps: DeskStep[] = [
  {
    name: 'Accept the deal',
    shown: 'Deal accepted',
    event: 'Accepted the deal',
    done: 'A call from AutoNation',
  },
  {
    name: 'Ask for a document',
    fields: { 'What is missing?': 'The second key, please.' },
    shown: /^“The second key, please\.”/,
    event: 'The second key, please.',
  },
  {
    name: 'Make an appointment',
    fields: { Place: '100 Main Street, Detroit', 'Date and time': appointment },
    shown: formatWallTime(appointment),
    event: `${formatWallTime(appointment)}, 100 Main Street, Detroit`,
    done: 'A day and a place',
  },
  {
    name: 'Seller is paid',
    shown: /^(You have|The seller has) been paid$/,
    event: 'Paid the seller',
    done: /^(You get|The seller gets) paid$/,
  },
  {
    name: 'Title received',
    shown: 'Title received',
    event: 'Received the title',
    done: 'The title is signed over',
  },
  { name: 'Complete the sale', shown: 'Sale completed', event: 'The deal was completed' },
]

// R-deals-99, R-deals-100
async function expectAppointment(reader: Page) {
  const card = reader.getByRole('region', { name: 'Next step' })
  await expect(card).toContainText('100 Main Street, Detroit')
  await expect(card.getByRole('link', { name: 'Open map' })).toHaveAttribute(
    'href',
    'https://www.google.com/maps/search/?api=1&query=100+Main+Street%2C+Detroit',
  )
  const [file] = await Promise.all([
    reader.waitForEvent('download'),
    card.getByRole('button', { name: 'Add to calendar' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('2018 Honda Accord.ics')
  const calendar = readFileSync(await file.path(), 'utf8')
  expect(calendar).toContain('LOCATION:100 Main Street\\, Detroit\r\n')
  expect(calendar).toContain(`DTSTART:${appointment.slice(0, 10).replaceAll('-', '')}T`)
}

/** Returns the id of this person's only trade. */
async function findTrade(wholesaler: Profile, owner: string): Promise<string> {
  const all: { _id: string; buyer: { firstName: string; lastName: string } }[] = await callApi(
    wholesaler,
    'GET /trades',
  )
  const found = all.find(({ buyer }) => `${buyer.firstName} ${buyer.lastName}` === owner)
  return found?._id ?? ''
}

const pickupIn = (page: Page) => page.getByRole('checkbox', { name: '2013 Ford F-150' })

const rowOf = (page: Page) => page.getByRole('table', { name: 'Trade Dashboard' }).getByRole('row').last()

/** Returns the value displayed for a term. */
const fact = (where: Locator, term: string) =>
  where
    .locator('dt', { hasText: new RegExp(`^${term}$`) })
    .locator('+ dd')
    .first()
