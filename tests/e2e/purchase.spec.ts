import type { Locator, Page } from '@playwright/test'
import {
  acceptChanges,
  blockEvents,
  button,
  changeOffer,
  expectChanges,
  expectPrice,
  proposePrice,
} from './support/concurrent-changes.ts'
import {
  answerButton,
  answerQuestion,
  confirmBuyerInDialog,
  expectAnswered,
  expectProgress,
  signAgreement,
} from './support/deal.ts'
import { fetchPackageId } from './support/demo.ts'
import { trackStreams, whileOffline } from './support/network.ts'
import { expectHeading } from './support/page/heading.ts'
import { openCard } from './support/page/open-card.ts'
import { findOverflow } from './support/page/overflow.ts'
import { aPerson, fillIn } from './support/person.ts'
import { pressInDialog } from './support/press.ts'
import {
  callApi,
  createSale,
  declineTradeAndFinancing,
  requestCar,
  saleParams,
  startPurchase,
} from './support/setup.ts'
import { expect, type Profile, test } from './support/test.ts'
import { withoutPreloadedResponses } from './views/view.ts'

test('confirms and releases one of two buyers, then confirms the other', async ({ openProfile, product }) => {
  const sale = await createSale(openProfile, product, '2HGFC2F51KH553918')
  const { sam, bea: ann, seller, buyer: first, addBuyer, link } = sale
  const ben = aPerson('Ben', 'Second')
  const second = await addBuyer(ben)
  const [annsPage, bensPage] = [first.page, second.page]
  const { page } = seller
  const table = page.getByRole('table', { name: 'Requests' })
  const annsRow = table.getByRole('row', { name: ann.name })
  const bensRow = table.getByRole('row', { name: ben.name })

  await test.step('shows both requests to the seller as they arrive', async () => {
    await page.goto(`/car/seller?${link}`)
    await expect(page.getByText('No buyer information available')).toBeVisible()
    await submitRequest(first, link, '12000')
    await submitRequest(second, link, '12700')
    await expect(annsRow).toContainText('$12,000')
    await expect(annsRow).toContainText('$500 under your asking price')
    await expect(bensRow).toContainText('$12,700')
    await expect(bensRow).toContainText('$200 over your asking price')
    // The higher offer is first, whichever came first.
    await expect(table.getByRole('row')).toContainText(['Buyer', ben.name, ann.name])
    await expect(page.getByText('Your turn: choose a buyer')).toBeVisible()
  })

  // R-deals-82
  await test.step('shows viewers to the other party, but not one buyer to the other', async () => {
    await expect(page.getByText(`${ann.name} and ${ben.name} are looking at this now`)).toBeVisible()
    for (const buyer of [annsPage, bensPage])
      await expect(buyer.getByText('looking at this now')).toHaveText(`${sam.name} is looking at this now`)
  })

  const bensAgreement = bensPage.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
  await test.step('confirms one buyer while the other is about to sign', async () => {
    await bensPage.getByRole('button', { name: 'Sign Agreement' }).click()
    await expect(bensAgreement).toBeVisible()
    // R-deals-98
    await expect(page.getByRole('button', { name: 'Confirm Intended Buyer' })).toHaveCount(2)
    await annsRow.getByRole('button', { name: 'Confirm Intended Buyer' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm Intended Buyer' })
    await expect(dialog).toContainText(ann.email)
    await expect(dialog).toContainText(`Confirm ${ann.name} as your buyer for $12,000?`)
    await confirmBuyerInDialog(page)
    await expect(page.getByText('Your turn: sign the agreement').first()).toBeVisible()
  })

  await test.step('informs both buyers on their open pages', async () => {
    await expect(bensAgreement).toContainText('The seller has confirmed another buyer.')
    await expect(bensAgreement.getByRole('button', { name: 'I Agree' })).toBeDisabled()
    await bensAgreement.getByRole('button', { name: 'Continue with the change' }).click()
    await expect(bensAgreement).toContainText('You can still sign.')
    await bensAgreement.getByRole('button', { name: 'Cancel' }).click()
    await expect(annsPage.getByText(`${sam.name} has confirmed you as the buyer.`)).toBeVisible()
    await expect(bensPage.getByText(pendingWithAnother)).toBeVisible()
    await expect(bensPage.getByText('On hold: the sale is pending with another buyer')).toBeVisible()
  })

  // R-deals-85
  await test.step('shows the other buyer’s messages to the seller, keeps a draft and sends the answer', async () => {
    await bensPage.getByRole('button', { name: 'Message Sam' }).press('Enter')
    for (const words of ['Hello.', 'I still want it.', 'I could pay more.']) {
      await bensPage.getByLabel(`Message to ${sam.name}`).fill(words)
      await bensPage.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(bensPage.getByLabel(`Message to ${sam.name}`)).toHaveValue('')
    }
    const reported: string[] = []
    page.on('request', (request) => request.url().endsWith('/seen') && reported.push(request.url()))
    const news = page.getByRole('button', { name: '3 new messages from other buyers' })
    await expect(news).toBeVisible({ timeout: 2000 })
    await news.press('Enter')
    await page.getByRole('button', { name: `Message ${ben.name}, 3 new messages` }).press('Enter')
    const conversation = page.getByRole('dialog', { name: `Messages with ${ben.name}` })
    await expect(conversation.getByText('I could pay more.')).toBeVisible()
    const field = conversation.getByLabel(`Message to ${ben.name}`)
    await field.fill('I will keep you')
    await field.press('Escape')
    await expect(conversation).toBeHidden()
    await expect(news).toBeHidden()
    // One request reports all messages that came into view together.
    expect(reported).toHaveLength(1)
    await page.getByRole('button', { name: `Message ${ben.name}, Draft`, exact: true }).press('Enter')
    await expect(field).toHaveValue('I will keep you')
    await field.fill('I will keep you in mind.')
    await field.press('Control+Enter')
    await expect(logOf(bensPage).getByText('I will keep you in mind.')).toBeVisible()
    await expect(field).toHaveValue('')
    await field.press('Escape')
    await expect(conversation).toBeHidden()
  })

  await test.step('releases the first buyer, who is offline', async () => {
    await page.getByRole('button', { name: 'Release Buyer' }).click()
    const dialog = page.getByRole('dialog', { name: 'Release Buyer' })
    await expect(dialog).toContainText(
      'The car becomes available to other buyers again, and this buyer is notified.',
    )
    await whileOffline(first, async () => {
      await dialog.getByRole('button', { name: 'Release Buyer' }).click()
      await expect(annsRow).toContainText('Rejected')
    })
    await expect(annsRow.getByRole('button', { name: 'Confirm Intended Buyer' })).toBeHidden()
    await expect(annsPage.getByRole('heading', { name: 'Request Turned Down' })).toBeVisible()
    await expect(bensPage.getByText(pendingWithAnother)).toBeHidden()
  })

  await test.step('confirms the other buyer after a restart of the server', async () => {
    const all = [seller, first, second]
    for (const { watch } of all) watch.allowFailedRequests(true)
    await product.restart()
    await bensRow.getByRole('button', { name: 'Confirm Intended Buyer' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm Intended Buyer' })
    await expect(dialog).toContainText(`Confirm ${ben.name} as your buyer for $12,700?`)
    await confirmBuyerInDialog(page)
    await expect(bensPage.getByText(`${sam.name} has confirmed you as the buyer.`)).toBeVisible()
    await expect(annsPage.getByText(pendingWithAnother)).toBeVisible()
    await openCard(page, 'Your buyer')
    await expect(page.getByText(ben.email)).toBeVisible()
    await expect(page.getByText(ann.email)).toBeHidden()
  })

  // R-deals-83, R-deals-85, R-deals-96
  await test.step('exchanges messages, one of them after being offline', async () => {
    await page.evaluate(() => scrollTo(0, 0))
    await bensPage.getByLabel(`Message to ${sam.name}`).fill('Is Saturday at ten fine?')
    await bensPage.getByRole('button', { name: 'Send', exact: true }).click()
    const open = page.getByRole('button', { name: /^Message Ben/ })
    await expect(open).toHaveAccessibleName('Message Ben, 1 new message', { timeout: 2000 })
    await expect(bensPage.getByLabel(`Message to ${sam.name}`)).toHaveValue('')
    await open.press('Enter')
    const field = page.getByLabel(`Message to ${ben.name}`)
    await expect(field).toBeFocused()
    await expect(logOf(page).getByText('Is Saturday at ten fine?')).toBeInViewport()
    await field.fill('Yes.')
    await field.press('Escape')
    await expect(page.getByRole('log')).toBeHidden()
    await expect(open).toBeFocused()
    await expect(open).toHaveAccessibleName('Message Ben, Draft')
    await open.press('Enter')
    await expect(field).toHaveValue('Yes.')
    await whileOffline(second, async () => {
      await bensPage.getByLabel(`Message to ${sam.name}`).fill('I bring the cash.')
      await bensPage.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(bensPage.getByText('Not sent.')).toBeVisible()
      await page.getByLabel(`Message to ${ben.name}`).fill('Yes. My address is https://maps.example.com/sam')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(logOf(page).getByText('Yes. My address is')).toBeVisible()
    })
    await expect(logOf(bensPage).getByText('(maps.example.com)')).toBeVisible()
    // A failed read has the same button until it succeeds.
    await button(bensPage.getByRole('alert').filter({ hasText: 'Not sent.' }), 'Try Again').click()
    await expect(logOf(page).getByText('I bring the cash.')).toHaveCount(1)
    await expect(bensPage.getByText('Not sent.')).toBeHidden()
  })

  await test.step('closes only the report of a message by Escape', async () => {
    await logOf(page)
      .getByRole('button', { name: /^Report the message/ })
      .first()
      .click()
    const report = page.getByRole('dialog', { name: 'Report This Message' })
    await report.getByLabel('What is wrong with it?').press('Escape')
    await expect(report).toBeHidden()
    await expect(page.getByRole('log')).toBeVisible()
  })

  await test.step('keeps the next draft when a response is late, and sends the same text again as another message', async () => {
    const isOfMessages = (url: string) => /\/messages\/[0-9a-f]{24}$/.test(new URL(url).pathname)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await bensPage.route(
      (url) => isOfMessages(url.href),
      async (route) => {
        if (route.request().method() !== 'POST') return route.fallback()
        const response = await route.fetch()
        await released
        await route.fulfill({ response })
      },
    )
    const field = bensPage.getByLabel(`Message to ${sam.name}`)
    const shown = (at: Page) => logOf(at).getByText('All right', { exact: true })
    await field.fill('All right')
    await field.press('Control+Enter')
    await expect(shown(bensPage)).toHaveCount(1)
    await expect(field).toHaveValue('')
    await field.fill('See you there')
    const reread = bensPage.waitForResponse(
      (response) => isOfMessages(response.url()) && response.request().method() === 'GET',
    )
    release()
    await reread
    await expect(field).toBeEditable()
    await expect(field).toHaveValue('See you there')
    await field.fill('All right')
    await field.press('Control+Enter')
    for (const at of [bensPage, page]) await expect(shown(at)).toHaveCount(2)
    await expect(field).toHaveValue('')
  })

  // R-deals-96
  await test.step('opens at the first new message, and adds older ones above', async () => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('log')).toBeHidden()
    const { userId, vin } = saleParams(link)
    const { _id } = await callApi(second, `GET /progress/${userId}/${vin}`)
    for (let note = 0; note < 60; note++)
      await callApi(second, `POST /messages/${_id}`, { text: `Note ${note}` })
    await page.getByRole('button', { name: 'Message Ben, 50 new messages' }).press('Enter')
    const firstNew = logOf(page).getByText('Note 10', { exact: true })
    const older = logOf(page).getByRole('button', { name: 'Show older' })
    await expect(firstNew).toBeInViewport()
    await expect(logOf(page).getByText('Note 59', { exact: true })).not.toBeInViewport()
    await older.scrollIntoViewIfNeeded()
    // A click that the guard ignores makes Playwright scroll.
    await expect(page.locator('[data-guarded]')).toHaveCount(0)
    const before = (await firstNew.boundingBox())?.y ?? 0
    await older.click()
    await expect(logOf(page).getByText('Hello.')).toBeAttached()
    const shift = async () => Math.abs(((await firstNew.boundingBox())?.y ?? 0) - before)
    await expect.poll(shift).toBeLessThan(2)
  })
})

/** The visible messages, without the live region. */
const logOf = (page: Page) => page.getByRole('log')

// R-deals-56
test('shows both parties the old and the new price of a change after a signature, and has the new one signed', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { sam, bea, seller, buyer, link } = await createSale(openProfile, product, '2HGFC2F50KH530663')
  await requestCar(buyer, link, 12_200)
  const request = seller.page.getByRole('table', { name: 'Requests' }).getByRole('row', { name: bea.name })
  await seller.page.goto(`/car/seller?${link}`)
  await buyer.page.goto(`/buyer?${link}`)

  await test.step('warns the buyer that a new price voids the signature', async () => {
    await signAgreement(buyer.page, bea.name, '$12,200')
    await expectHeading(buyer.page, 'You have signed.')
    await expect(buyer.page.getByRole('button', { name: 'Signed', exact: true })).toBeDisabled()
    await buyer.page.getByRole('button', { name: 'Edit Price' }).click()
    const price = buyer.page.getByRole('dialog', { name: 'Edit Price' })
    await expect(price).toContainText(
      'You have signed this offer. If you continue, your signature no longer counts',
    )
    await price.getByRole('button', { name: 'Cancel' }).click()
    await expect(request).toContainText('Has signed this offer')
  })

  await test.step('leaves offer and signature as they are when the asking price changes', async () => {
    await seller.page.getByRole('button', { name: 'Edit price' }).click()
    await expect(seller.page.getByText('Buyers’ offers stay as they are.')).toBeVisible()
    await expect(seller.page.getByText(`${bea.name} has already signed`)).toBeHidden()
    await seller.page.getByRole('button', { name: 'Cancel' }).click()
    await setPrice(seller.page, '12600')
    await expect(request).toContainText('$400 under your asking price')
    await expect(request).toContainText('$12,200')
    await expect(request).toContainText('Has signed this offer')
    await expectTimelineChange(buyer.page, 'Changed the asking price', '$12,500', '$12,600')
    await expectHeading(buyer.page, 'You have signed.')
  })

  await test.step('voids the signature when the buyer accepts a proposal, and shows both what changed', async () => {
    const propose = await openProposal(seller.page, request, bea.name)
    await expect(propose).toContainText(`${bea.name} has signed the offer.`)
    await fillIn(propose, { 'Your price': '12600' })
    await propose.getByRole('button', { name: 'Propose', exact: true }).click()
    await expect(request).toContainText('You proposed $12,600.')
    await expect(buyer.page.getByText('You have signed your offer. If you accept,')).toBeVisible()
    await buyer.page.getByRole('button', { name: 'Accept $12,600' }).click()
    await expect(request).toContainText('Has to sign again')
    await expect(buyer.page.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    await expectProgress(buyer.page, 96)
    await expect(fact(buyer.page, "Buyer's signature")).toHaveText('Not signed yet')
    await expectTimelineChange(buyer.page, 'Accepted the proposed price', '$12,200', '$12,600')
    await expect(voidedNotice(buyer.page, yourSignature)).toContainText('Agreed price: $12,200 → $12,600')
  })

  await test.step('updates the buyer’s open agreement', async () => {
    await buyer.page.getByRole('button', { name: 'Sign Agreement' }).click()
    const agreement = buyer.page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
    await fillIn(agreement, { Name: bea.name, Signature: 'B. Buyer' })
    await changeOffer(buyer, link, 12_650)
    await expect(agreement.getByRole('alert')).toContainText('$12,600 → $12,650')
    await expect(agreement.getByRole('button', { name: 'I Agree' })).toBeDisabled()
    await agreement.getByRole('button', { name: 'Show the new terms' }).click()
    await expect(agreement.getByRole('article')).toContainText('$12,650')
    await expect(agreement.getByLabel('Signature', { exact: true })).toHaveValue('B. Buyer')
    await agreement.getByRole('button', { name: 'I Agree' }).click()
    await expect(agreement).toBeHidden()
    await expect(request).toContainText('Has signed this offer')
    await expect(voidedNotice(buyer.page, yourSignature)).toBeHidden()
  })

  await test.step('shows a new offer to the seller who is about to confirm', async () => {
    await request.getByRole('button', { name: 'Confirm Intended Buyer' }).click()
    const confirm = seller.page.getByRole('dialog', { name: 'Confirm Intended Buyer' })
    await expect(confirm).toContainText(`Confirm ${bea.name} as your buyer for $12,650?`)
    await buyer.page.getByRole('button', { name: 'Edit Price' }).click()
    const edit = buyer.page.getByRole('dialog', { name: 'Edit Price' })
    await fillIn(edit, { 'Your offer': '12400' })
    await edit.getByRole('button', { name: 'Save' }).click()
    await expectTimelineChange(buyer.page, 'Changed the offer', '$12,650', '$12,400')
    await expect(confirm.getByRole('alert')).toContainText('$12,650 → $12,400')
    await expect(confirm.getByRole('button', { name: 'Confirm Buyer' })).toBeDisabled()
    await confirm.getByRole('button', { name: 'Continue with the new request' }).click()
    await expect(confirm).toContainText(`Confirm ${bea.name} as your buyer for $12,400?`)
    await confirmBuyerInDialog(seller.page)
  })

  await test.step('passes the deal on when both signed the new terms', async () => {
    await expectTimelineChange(seller.page, 'Changed the offer', '$12,650', '$12,400')
    const change = 'Agreed price: $12,650 → $12,400'
    await expect(voidedNotice(seller.page, `The terms have changed since ${bea.name} signed.`)).toContainText(
      change,
    )
    await expect(voidedNotice(buyer.page, yourSignature)).toContainText(change)
    await openCard(seller.page, 'Car details')
    await expect(seller.page.getByRole('button', { name: 'Edit details' })).toBeDisabled()
    await expect(seller.page.getByText('To change them, release the buyer first.')).toBeVisible()
    await signAgreement(seller.page, sam.name, '$12,400')
    await expectHeading(seller.page, `Waiting for ${bea.name}'s signature`)
    await expect(buyer.page.getByText('The car is held for you until')).toBeVisible()
    await signAgreement(buyer.page, bea.name, '$12,400')
    await expectHeading(seller.page, 'Your Deal Has Been Passed to AutoNation')
    const { agreement, price } = await callApi(
      buyer,
      `GET /progress/pkg/${await fetchPackageId(link, buyer)}/1`,
    )
    expect(price).toBe(12_400)
    expect(agreement).toMatchObject({
      terms: { price: 12_400 },
      seller: { signature: `/s/ ${sam.name}` },
      buyer: { signature: `/s/ ${bea.name}` },
    })
  })
})

// R-deals-93, R-deals-94, R-everywhere-64
test('lets a buyer keep an offer, or accept the price that the seller proposes, on a phone', async ({
  openProfile,
  product,
}) => {
  const { sam, bea, seller, buyer, link } = await createSale(openProfile, product, '2HGFC2F5XKH530771')
  await requestCar(buyer, link, 12_200)
  for (const { page } of [seller, buyer]) await page.setViewportSize({ width: 360, height: 740 })
  const request = seller.page.getByRole('table', { name: 'Requests' }).getByRole('row', { name: bea.name })
  const proposal = buyer.page.getByText(`${sam.name} proposes`)
  const main = buyer.page.getByRole('main')
  await seller.page.goto(`/car/seller?${link}`)
  await buyer.page.goto(`/buyer?${link}`)

  await test.step('shows the proposal beside the offer, in the purchase and on the dashboard', async () => {
    const dialog = await openProposal(seller.page, request, bea.name)
    await fillIn(dialog, { 'Your price': '12200' })
    await dialog.getByRole('button', { name: 'Propose', exact: true }).click()
    await expect(dialog.getByText('This buyer already offers that price.')).toBeVisible()
    await expect(dialog.getByLabel('Your price')).toBeFocused()
    await fillIn(dialog, { 'Your price': '12400' })
    await dialog.getByRole('button', { name: 'Propose', exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect(request).toContainText('You proposed $12,400.')
    await expect(seller.page.getByText(`${bea.name}'s turn: answer your proposal`)).toBeVisible()
    await expect(proposal).toHaveText(`${sam.name} proposes $12,400`)
    await expect(main).toContainText(
      'Your offer is $12,200. It stays as it is unless you accept the seller’s price or change your offer.',
    )
    for (const { page } of [seller, buyer]) expect(await findOverflow(page)).toEqual([])
    await buyer.page.goto('/home?view=buying')
    await expect(buyer.page.getByText('The seller proposes $12,400')).toBeVisible()
    await buyer.page.getByRole('link', { name: /^Answer proposal/ }).click()
  })

  await test.step('keeps the offer', async () => {
    await buyer.page.getByRole('button', { name: 'Keep my offer of $12,200' }).click()
    await expect(proposal).toBeHidden()
    await expect(request).not.toContainText('You proposed')
    await expectPrice(buyer, link, 12_200)
    await expect(main.locator('[data-changed]')).toHaveCount(0)
  })

  await test.step('has a replaced proposal read before it can be accepted', async () => {
    await proposePrice(seller, buyer, link, 12_500)
    await expect(proposal).toHaveText(`${sam.name} proposes $12,500`)
    await proposePrice(seller, buyer, link, 12_450)
    await expect(buyer.page.getByRole('button', { name: 'Accept $12,500' })).toBeDisabled()
    await expectChanges(main, ['Proposed price: $12,500 → $12,450'])
    await acceptChanges(main)
    await buyer.page.getByRole('button', { name: 'Accept $12,450' }).click()
    await expect(proposal).toBeHidden()
    await expect(main.locator('[data-changed]', { hasText: '$12,450' })).toBeVisible()
    await expectTimelineChange(buyer.page, 'Accepted the proposed price', '$12,200', '$12,450')
    await expect(request).toContainText('$12,450')
  })

  await test.step('takes a proposal back', async () => {
    const dialog = await openProposal(seller.page, request, bea.name)
    await fillIn(dialog, { 'Your price': '12600' })
    await dialog.getByRole('button', { name: 'Propose', exact: true }).click()
    await expect(proposal).toBeVisible()
    await request.getByRole('button', { name: 'Change your proposal' }).click()
    await whileOffline(seller, async () => {
      await dialog.getByRole('button', { name: 'Take It Back' }).click()
      await expect(dialog.getByRole('alert')).toBeVisible()
    })
    await dialog.getByRole('button', { name: 'Take It Back' }).click()
    await expectChanges(main, ['Proposed price: $12,600 → No longer open'])
    await acceptChanges(main)
    await expect(proposal).toBeHidden()
    await expect(buyer.page.getByRole('heading', { level: 1 })).toBeFocused()
  })

  await test.step('confirms the offer while a proposal is open', async () => {
    await proposePrice(seller, buyer, link, 12_700)
    await request.getByRole('button', { name: 'Confirm Intended Buyer' }).click()
    const dialog = seller.page.getByRole('dialog', { name: 'Confirm Intended Buyer' })
    await expect(dialog).toContainText(`${bea.name} has not answered your proposal of $12,700.`)
    await expect(dialog).toContainText(`Confirm ${bea.name} as your buyer for $12,450?`)
    await confirmBuyerInDialog(seller.page)
    await expect(proposal).toBeHidden()
    await expectPrice(buyer, link, 12_450)
  })
})

// R-deals-5, R-deals-59, R-deals-60
test('shows the same question of a purchase after going back, after a reload and in a second tab', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { buyer, link } = await createSale(openProfile, product, '2HGFC2F59KH530774')
  const streams = trackStreams(buyer)
  await startPurchase(buyer, link)
  const { page, other, expectInBothTabs, goBack } = await openTwoTabs(buyer, link)

  await test.step('asks about a trade', async () => {
    await expectInBothTabs(stages.trade)
    await expect(page.getByRole('button', { name: 'Back', exact: true })).toBeHidden()
    await answerQuestion(page, 'Do You Have A Trade?', 'Yes')
    await expectInBothTabs(stages.trades)
    await goBack(stages.trade)
    await expectAnswered(page, 'Yes')
    await answerQuestion(page, 'Do You Have A Trade?', 'Yes')
    await press(page, 'OR Add A New Trade')
    await expectStage(page, stages.tradeInput)
    await fillIn(page, { Make: 'Ford', Mileage: '91000' })
    await expectInBothTabs(stages.tradeInput)
    await expect(page.getByLabel('Make', { exact: true })).toHaveValue('Ford')
    await fillIn(page, { Mileage: '92000' })
    await goBack(stages.trades)
    await press(page, 'OR Add A New Trade')
    await expectStage(page, stages.tradeInput)
    await expect(page.getByLabel('Mileage', { exact: true })).toHaveValue('92,000')
    await press(page, 'Continue without a trade')
  })

  await test.step('asks about financing', async () => {
    await expectInBothTabs(stages.financing)
    // Purchases with and without a trade have the same steps, as the percentages do.
    await expect(page.getByText('Your trades, not needed', { exact: true })).toBeVisible()
    await expect(page.locator('[aria-current="step"]')).toHaveText(['Financing', 'Financing'])
    await goBack(stages.trade)
    await expectAnswered(page, 'No')
    await answerQuestion(page, 'Do You Have A Trade?', 'No')
    await answerQuestion(page, 'Do You Need Financing?', 'Yes')
    await expectInBothTabs(stages.loan)
    await goBack(stages.financing)
    await expectAnswered(page, 'Yes')
  })

  await test.step('follows the answer given in the other tab', async () => {
    await other.bringToFront()
    await answerButton(other, 'Yes').click()
    await page.bringToFront()
    await fillIn(page, { 'Down payment (optional)': '2000' })
    await press(page, 'Continue')
    await expectStage(other, stages.request)
    await goBack(stages.loan)
    await expect(page.getByLabel('Down payment (optional)')).toHaveValue('2,000')
  })

  await test.step('moves through the questions with Back and Forward, and leaves before the first one', async () => {
    await press(page, 'Continue')
    await expectStage(page, stages.request)
    await page.goBack()
    await expectStage(other, stages.loan)
    await expectStage(page, stages.loan)
    await expect(page.getByLabel('Down payment (optional)')).toHaveValue('2,000')
    await fillIn(page, { 'Down payment (optional)': '3000' })
    await page.reload()
    await expectStage(page, stages.loan)
    await expect(page.getByLabel('Down payment (optional)')).toHaveValue('3,000')
    // This page has no history entry for the step that the other tab took.
    await page.goBack()
    await expectStage(other, stages.trade)
    await expectStage(page, stages.trade)
    await expectAnswered(page, 'No')
    await page.goForward()
    await expectStage(page, stages.loan)
    await page.goForward()
    await expectStage(other, stages.request)
    await expectStage(page, stages.request)
    await fillIn(page, { 'Agreed price': '12345' })
    await page.reload()
    await expect(page.getByLabel('Agreed price')).toHaveValue('12,345')
    await page.goBack()
    await expectStage(page, stages.loan)
    await page.goForward()
    await expectStage(page, stages.request)
    await expect(page.getByLabel('Agreed price')).toHaveValue('12,345')
    await page.goBack()
    await expectStage(page, stages.loan)
    await page.goBack()
    await expectStage(page, stages.trade)
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Purchase Dashboard' })).toBeVisible()
  })

  // R-notifications-21
  await test.step('shares one event stream between tabs, and moves it when its tab is closed', async () => {
    await page.goto(`/buyer?${link}`)
    await expectStage(page, stages.trade)
    await expect.poll(() => streams.size, { timeout: 30_000 }).toBe(1)
    const [leader] = streams.values()
    const remaining = leader === page ? other : page
    await leader?.close()
    await expect.poll(() => [...streams.values()].includes(remaining)).toBe(true)
    await declineTradeAndFinancing(buyer, link)
    await expectStage(remaining, stages.request)
  })
})

test('shows the same stage around the request and the signature after going back, after a reload and in a second tab', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { bea, buyer, link } = await createSale(openProfile, product, '2HGFC2F57KH530885')
  await declineTradeAndFinancing(buyer, link)
  const { page, expectInBothTabs, goBack } = await openTwoTabs(buyer, link)
  const stale = await buyer.context.newPage()
  await page.bringToFront()

  await test.step('requests the car while a second tab gets no server events', async () => {
    await expectInBothTabs(stages.request)
    buyer.watch.allowFailedRequests(true)
    await blockEvents(stale)
    await goBack(stages.financing)
    await stale.goto(`/buyer?${link}`)
    await expectStage(stale, stages.financing)
    await page.bringToFront()
    await answerQuestion(page, 'Do You Need Financing?', 'No')
    await fillIn(page, { 'Agreed price': '12100' })
    await press(page, 'Submit Request')
    await expectInBothTabs(stages.signing)
  })

  await test.step('moves the stale tab to the current stage when a question is answered in it', async () => {
    buyer.watch.allowErrors(/^PATCH \/progress\/update 409$/)
    await expectStage(stale, stages.financing)
    await stale.bringToFront()
    await answerQuestion(stale, 'Do You Need Financing?', 'Yes')
    await expect(
      stale.getByText('This has changed since you opened it. Here is the current version.'),
    ).toBeVisible()
    await expectStage(stale, stages.signing)
    await stale.close()
    await page.bringToFront()
    await expectStage(page, stages.signing)
  })

  await test.step('reports a failed read, and repeats it with one click', async () => {
    buyer.watch.allowErrors(/^Progress could not be fetched: Offline/)
    await withoutPreloadedResponses(page)
    await page.route('**/progress/**', (route) => route.abort())
    await page.reload()
    await expect(page.getByText('Your progress could not be loaded.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Purchase Dashboard' }).first()).toBeVisible()
    await page.unroute('**/progress/**')
    await press(page, 'Try Again')
    await expectStage(page, stages.signing)
  })

  await test.step('allows no step back after the signature', async () => {
    await goBack(stages.request)
    await expect(page.getByLabel('Agreed price')).toHaveValue('12,100')
    await press(page, 'Continue to signing')
    await signAgreement(page, bea.name, '$12,100')
    await expectInBothTabs(stages.complete)
    await expect(page.getByRole('button', { name: 'Back', exact: true })).toBeHidden()
    await openCard(page, 'Timeline')
    await expect(page.getByText('Submitted a request')).toHaveCount(1)
    await expect(page.getByText('Signed as buyer')).toHaveCount(1)
    await page.goBack()
    await expectInBothTabs(stages.complete)
  })
})

type Stage = readonly [heading: string, percent: number]
const stages = {
  trade: ['Do You Have A Trade?', 0],
  trades: ['Add A New Or Existing Trade', 16],
  tradeInput: ['Trade Input', 32],
  financing: ['Do You Need Financing?', 48],
  loan: ['Financing info', 64],
  request: ['Add A Car', 80],
  signing: ['Read and sign', 96],
  complete: ['You have signed.', 100],
} as const satisfies Record<string, Stage>

const pendingWithAnother =
  'The sale of this car is pending with another buyer. We will let you know if that changes.'

async function expectStage(tab: Page, [heading, percent]: Stage) {
  await expect(tab.getByRole('heading', { name: heading, exact: true })).toBeVisible()
  await expectProgress(tab, percent)
}

const press = (tab: Page, name: string) => tab.getByRole('button', { name, exact: true }).click()

/** Opens the purchase from the dashboard in one tab, and by its URL in another. */
async function openTwoTabs({ page, context }: Profile, link: string) {
  await page.goto('/home?view=buying')
  // A click anywhere in a row opens it.
  await page.getByRole('cell', { name: 'Civic LE' }).first().click()
  const other = await context.newPage()
  await other.goto(`/buyer?${link}`)
  // Browsers render background tabs only once a second.
  await page.bringToFront()
  return {
    page,
    other,
    expectInBothTabs: async (stage: Stage) => {
      await expectStage(page, stage)
      await expectStage(other, stage)
      await page.reload()
      await expectStage(page, stage)
    },
    goBack: async (stage: Stage) => {
      await press(page, 'Back')
      await expectStage(other, stage)
      await expectStage(page, stage)
    },
  }
}

async function submitRequest(buyer: Profile, link: string, price: string) {
  await declineTradeAndFinancing(buyer, link)
  await buyer.page.goto(`/buyer?${link}`)
  await fillIn(buyer.page, { 'Agreed price': price })
  await buyer.page.getByRole('button', { name: 'Submit Request' }).click()
  await expect(buyer.page.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
}

async function openProposal(page: Page, request: Locator, buyer: string) {
  await request.getByRole('button', { name: 'Propose a price' }).click()
  return page.getByRole('dialog', { name: `Propose a price to ${buyer}` })
}

async function setPrice(page: Page, price: string) {
  await page.getByRole('button', { name: 'Edit price' }).click()
  await fillIn(page, { 'New asking price': price })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('New asking price')).toBeHidden()
}

/** Expects a change in the deal's timeline. */
async function expectTimelineChange(page: Page, event: string, before: string, after: string) {
  await openCard(page, 'Timeline')
  const entry = page
    .getByRole('list', { name: 'Timeline' })
    .getByRole('listitem')
    .filter({ hasText: event })
    .first()
  await expect(entry.getByRole('deletion')).toHaveText(before)
  await expect(entry.getByRole('insertion')).toHaveText(after)
}

const voidedNotice = (page: Page, title: string) => page.getByRole('status').filter({ hasText: title })
const yourSignature = 'The terms have changed since you signed.'

const fact = (page: Page, term: string) => page.locator('dt', { hasText: term }).locator('+ dd').first()

// R-deals-103
test('asks a signer for a Latin spelling of a name that the papers cannot print', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { link, addBuyer } = await createSale(openProfile, product, '2HGFC2F53KH511117')
  const someone = aPerson('Bea', 'Buyer')
  const firstName = `𞤀𞤣𞤤𞤢𞤥${' Maximilian'.repeat(14)}`
  const bea = { ...someone, firstName, name: `${firstName} ${someone.lastName}` }
  const buyer = await addBuyer(bea)
  const { page, watch } = buyer
  watch.allowErrors(/PATCH \/progress\/update 400/)
  await requestCar(buyer, link, 9_000)
  await page.goto(`/buyer?${link}`)
  await button(page, 'Sign Agreement').click()
  const agreement = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
  await fillIn(agreement, { Signature: 'Bea' })
  await pressInDialog(button(agreement, 'I Agree'))
  const spelling = agreement.getByLabel('Your name in Latin letters')
  await expect(spelling).toBeFocused()
  await spelling.fill('Адлам')
  await expect(agreement.getByText('Please use Latin letters.')).toBeVisible()
  await spelling.fill('Adlam '.repeat(16))
  await button(agreement, 'I Agree').click()
  await expect(agreement.getByText('Please keep the name and its spelling to 255 characters.')).toBeVisible()
  await expect(spelling).toBeFocused()
  await spelling.fill('Adlam Buyer')
  await pressInDialog(button(agreement, 'I Agree'))
  await expect(agreement).toBeHidden()
  await button(page, 'View agreement').click()
  await expect(agreement.getByText(`${bea.name} (Adlam Buyer)`).first()).toBeVisible()
  await expect(agreement.getByText('Bea', { exact: true })).toBeVisible()
})
