import type { Page } from '@playwright/test'
import { button, deafPageOf, expectFocusIn, expectFocusOnTitle, expectNews } from './house/meanwhile.ts'
import { fillIn } from './house/person.ts'
import { expect, test } from './house/test.ts'
import { aTrade, namesOfPickup, requestOf } from './house/trade.ts'

// Two people at once: one is about to send something based on what the other has just changed. Either the page is told
// in time or the server refuses; in both cases it takes one more click after reading the new state.

test('a trade is deleted while an offer for it arrives', { tag: '@full' }, async ({
  openProfile,
  product,
}) => {
  const { owner, offers, counters } = await aTrade(openProfile, product, '1FTFW1ET7DFC20417')
  const deleting = async (page: Page) => {
    await page.goto('/trade')
    await button(page, `Delete the request for your ${namesOfPickup}`).click()
    return page.getByRole('dialog', { name: 'Delete Request' })
  }

  await test.step('the page hears of it', async () => {
    const dialog = await deleting(owner.page)
    await offers(9_000)
    await expect(dialog).toContainText('This has changed since you opened it.')
    await expect(dialog).toContainText('Amount: It was none, it is now $9,000.')
    await expect(button(dialog, 'Delete')).toBeDisabled()
    await button(dialog, 'Show how it stands now').click()
    await expect(button(dialog, 'Delete')).toBeEnabled()
    await button(dialog, 'Cancel').click()
  })

  await test.step('the page does not hear of it: the second click deletes', async () => {
    await counters(9_500)
    const page = await deafPageOf(owner)
    owner.watch.expects(/^DELETE \/trades\/\w+ 409$/)
    const dialog = await deleting(page)
    await offers(9_300)
    await button(dialog, 'Delete').click()
    await expect(dialog).toContainText('$9,300')
    await button(dialog, 'Show how it stands now').click()
    await button(dialog, 'Delete').click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('You have not added any cars.')).toBeVisible()
    await page.close()
  })
})

test('after the news about a trade, keyboard focus moves to the start of the decision', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { bea, owner, victor, offers, counters } = await aTrade(openProfile, product, '1FTFW1ET9DFC20418')
  const { page } = owner

  await test.step('a trade that is deleted', async () => {
    await page.goto('/trade')
    await button(page, `Delete the request for your ${namesOfPickup}`).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Request' })
    await offers(9_000)
    await expectNews(dialog, [/^Status: It was /, 'Amount: It was none, it is now $9,000.'])
    await button(dialog, 'Show how it stands now').press('Enter')
    await expectFocusOnTitle(dialog)
    await button(dialog, 'Cancel').click()
  })

  await test.step('an offer that is answered', async () => {
    await button(page, `Answer offer: ${namesOfPickup}`).click()
    const dialog = page.getByRole('dialog', { name: 'Offer Details' })
    await button(dialog, 'Counter Offer').click()
    await fillIn(dialog, { 'Your counter offer': '9700' })
    await counters(9_500)
    await offers(9_300)
    await expectNews(dialog, ['Amount: It was $9,000, it is now $9,300.'])
    await button(dialog, 'Show how it stands now').press('Enter')
    await expect(dialog.getByLabel('Your counter offer')).toHaveValue(/^9,?700$/)
    await expectFocusIn(dialog)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  await test.step('an offer that is made', async () => {
    await counters(9_600)
    await victor.page.goto('/wholesaler')
    await button(requestOf(victor.page, bea.name), `Submit Offer: ${namesOfPickup}`).click()
    const dialog = victor.page.getByRole('dialog', { name: 'Submit Trade-In Offer' })
    await fillIn(dialog, { 'Offer amount': '9400' })
    await offers(9_450)
    await counters(9_550)
    await expectNews(dialog, ['Amount: It was $9,600, it is now $9,550.'])
    await expect(button(dialog, 'Submit Offer')).toBeDisabled()
    await button(dialog, 'Show how it stands now').press('Enter')
    await expect(dialog.getByLabel('Offer amount')).toBeFocused()
    await expect(dialog.getByLabel('Offer amount')).toHaveValue(/^9,?400$/)
  })
})
