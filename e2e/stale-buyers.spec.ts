import type { Page, Request } from '@playwright/test'
import { sign } from './house/deal.ts'
import { aSale, namesOfCivic, requests } from './house/ground.ts'
import {
  asks,
  button,
  confirms,
  deafPageOf,
  denies,
  expectNews,
  expectPrice,
  fromMenu,
  mends,
  releases,
  reprices,
  withdraws,
} from './house/meanwhile.ts'
import { fillIn } from './house/person.ts'
import { expect, test } from './house/test.ts'

// Two people at once: one is about to send something based on what the other has just changed. Either the page is told
// in time or the server refuses; in both cases it takes one more click after reading the new state.

test('a price is changed on the dashboard while the seller changes it, too', { tag: '@full' }, async ({
  openProfile,
  product,
}) => {
  const { seller, buyer, link } = await aSale(openProfile, product, '2HGFC2F56KH530229')
  await requests(buyer, link, 12_200)
  const editing = async (page: Page, price?: string) => {
    await page.goto('/home?view=buying')
    await fromMenu(page, `Edit: ${namesOfCivic}`)
    const dialog = page.getByRole('dialog', { name: 'Edit Price' })
    if (price) await fillIn(dialog, { 'Your price': price })
    return dialog
  }

  await test.step('the page hears of it', async () => {
    const dialog = await editing(buyer.page, '12250')
    await asks(seller, link, 12_600)
    await expectNews(dialog, [
      'Your price: It was $12,200, it is now $12,600.',
      'Asking price: It was $12,500, it is now $12,600.',
    ])
    await expect(button(dialog, 'Save')).toBeDisabled()
    await button(dialog, 'Continue with the change').click()
    await expect(dialog.getByLabel('Your price')).toHaveValue('12,250')
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await expectPrice(buyer, link, 12_250)
  })

  await test.step('the page does not hear of it', async () => {
    const page = await deafPageOf(buyer)
    buyer.watch.expects(/^PATCH \/cars\/buyer 409$/)
    const dialog = await editing(page, '12300')
    await asks(seller, link, 12_700)
    await button(dialog, 'Save').click()
    await expectNews(dialog, [
      'Your price: It was $12,250, it is now $12,700.',
      'Asking price: It was $12,600, it is now $12,700.',
    ])
    await button(dialog, 'Continue with the change').click()
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await expectPrice(buyer, link, 12_300)
    await page.close()
  })

  await test.step('an untouched field follows the new price; a denial is shown with its message', async () => {
    const dialog = await editing(buyer.page)
    await denies(seller, link, 'Meet me at 12,500.')
    await expectNews(dialog, [
      'Status: The seller has rejected it.',
      "The seller's message: Meet me at 12,500.",
    ])
    await button(dialog, 'Continue with the change').click()
    await expect(dialog.getByLabel('Your price')).toHaveValue('12,300')
    await fillIn(dialog, { 'Your price': '12500' })
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await expectPrice(buyer, link, 12_500)
    const again = await editing(buyer.page)
    await asks(seller, link, 12_550)
    await button(again, 'Continue with the change').click()
    await expect(again.getByLabel('Your price')).toHaveValue('12,550')
    await button(again, 'Cancel').click()
  })

  await test.step('a price is offered for the car as it was read', async () => {
    const dialog = await editing(buyer.page, '12520')
    await mends(seller, link, 61_300)
    await expectNews(dialog, ['Mileage: It was 61,200 miles, it is now 61,300 miles.'])
    await expect(button(dialog, 'Save')).toBeDisabled()
    await button(dialog, 'Continue with the change').click()
    await expect(dialog.getByLabel('Your price')).toHaveValue('12,520')
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await expectPrice(buyer, link, 12_520)
  })

  await test.step('a request confirmed in the meantime leads to the deal', async () => {
    const dialog = await editing(buyer.page, '12200')
    await confirms(seller, link)
    await expect(dialog.getByRole('alert')).toHaveText(
      'The seller has confirmed your request. Its price stands now.',
    )
    await dialog.getByRole('link', { name: 'View deal' }).click()
    await expect(buyer.page.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
  })

  await test.step('it can be deleted only after reading that it is confirmed', async () => {
    await releases(seller, link)
    await reprices(buyer, link, 12_500)
    await buyer.page.goto('/home?view=buying')
    await fromMenu(buyer.page, `Delete: ${namesOfCivic}`)
    const dialog = buyer.page.getByRole('dialog', { name: 'Delete Request' })
    await confirms(seller, link)
    await expectNews(dialog, ['Status: The seller has confirmed your request. Its price stands now.'])
    await expect(button(dialog, 'Delete')).toBeDisabled()
    await button(dialog, 'Continue with the change').click()
    await button(dialog, 'Delete').click()
    await expect(dialog).toBeHidden()
    await expect(buyer.page.getByText('You have no purchases yet.')).toBeVisible()
  })

  await test.step('the only row disappears, and the dialog says so', async () => {
    await requests(buyer, link, 12_300)
    const dialog = await editing(buyer.page, '12350')
    await withdraws(buyer, link)
    await expect(dialog.getByRole('alert')).toContainText('This request is no longer there.')
    await expect(dialog.getByLabel('Your price')).toHaveValue(/^12,?350$/)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog).toBeHidden()
  })
})

test('a price is typed in the guided purchase while the seller changes it', { tag: '@full' }, async ({
  openProfile,
  product,
}) => {
  const { bea, seller, buyer, link } = await aSale(openProfile, product, '2HGFC2F56KH530330')
  await requests(buyer, link, 12_200)
  const typing = async (page: Page, price: string) => {
    await page.goto(`/buyer?${link}`)
    // Going back refetches the purchase, and gives up a read that was under way; until that is done, the page may still
    // learn of what happens next.
    const asked = page.waitForEvent('requestfinished', isProgress)
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await asked
    await fillIn(page, { 'Agreed price': price })
    return page.getByRole('main')
  }

  await test.step('the page hears of it', async () => {
    const form = await typing(buyer.page, '12250')
    await asks(seller, link, 12_600)
    await expectNews(form, [
      'Your price: It was $12,200, it is now $12,600.',
      'Asking price: It was $12,500, it is now $12,600.',
    ])
    await expect(button(form, 'Submit Request')).toBeDisabled()
    await button(form, 'Continue with the change').click()
    await expect(form.getByLabel('Agreed price')).toHaveValue('12,250')
    await button(form, 'Submit Request').click()
    await expect(form.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    await expectPrice(buyer, link, 12_250)
  })

  await test.step('the page does not hear of it', async () => {
    const page = await deafPageOf(buyer)
    buyer.watch.expects(/^POST \/cars\/request 409$/)
    const form = await typing(page, '12300')
    await asks(seller, link, 12_700)
    await button(form, 'Submit Request').click()
    await expectNews(form, [
      'Your price: It was $12,250, it is now $12,700.',
      'Asking price: It was $12,600, it is now $12,700.',
    ])
    await button(form, 'Continue with the change').click()
    await expect(form.getByRole('alert')).toBeHidden()
    await button(form, 'Submit Request').click()
    await expect(form.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    await expectPrice(buyer, link, 12_300)
    await page.close()
  })

  await test.step('the car has changed: one page is told, the other is not', async () => {
    const form = await typing(buyer.page, '12320')
    await mends(seller, link, 61_300)
    await expectNews(form, ['Mileage: It was 61,200 miles, it is now 61,300 miles.'])
    await expect(button(form, 'Submit Request')).toBeDisabled()
    await button(form, 'Continue with the change').click()
    await expect(form.getByLabel('Agreed price')).toHaveValue('12,320')
    await button(form, 'Submit Request').click()
    await expect(form.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    const page = await deafPageOf(buyer)
    const deaf = await typing(page, '12310')
    await mends(seller, link, 61_400)
    await button(deaf, 'Submit Request').click()
    await expectNews(deaf, ['Mileage: It was 61,300 miles, it is now 61,400 miles.'])
    await button(deaf, 'Continue with the change').click()
    await button(deaf, 'Submit Request').click()
    await expect(deaf.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    await page.close()
  })

  await test.step('after the signature, which the new price voids: what was typed outlives the stage', async () => {
    const { page } = buyer
    await page.goto(`/buyer?${link}`)
    await sign(page, bea.name, '$12,310')
    await expect(page.getByRole('heading', { name: 'You have signed.' })).toBeVisible()
    await button(page, 'Edit Price').click()
    const dialog = page.getByRole('dialog', { name: 'Edit Price' })
    await fillIn(dialog, { 'Your price': '12350' })
    await asks(seller, link, 12_800)
    await expectNews(dialog, [
      'Your price: It was $12,310, it is now $12,800.',
      'Asking price: It was $12,700, it is now $12,800.',
    ])
    await expect(dialog.getByLabel('Your price')).toHaveValue(/^12,?350$/)
    await button(dialog, 'Continue with the change').click()
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    await expectPrice(buyer, link, 12_350)
  })
})

const isProgress = (request: Request) =>
  request.method() === 'GET' && /^\/progress\/\w{24}\/\w+$/.test(new URL(request.url()).pathname)
