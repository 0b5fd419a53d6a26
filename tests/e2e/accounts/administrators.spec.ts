import { administratorTexts as texts } from '@keyturn/contract/accounts/administrator-texts.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { generateSync } from 'otplib'
import { button } from '../support/concurrent-changes.ts'
import { fillIn } from '../support/person.ts'
import { callApi, createSale, signInAsAdministrator } from '../support/setup.ts'
import { expect, type Profile, test } from '../support/test.ts'

const { admin } = accountTexts
const password = 'quiet harbour 31'

async function signIn({ page, watch }: Profile, username: string, secret: string) {
  watch.allowErrors(
    /^GET \/admin\/me 401$/,
    /^GET \/auth\/admin\/refresh 401$/,
    /^POST \/auth\/admin\/login 401$/,
  )
  await page.goto('/dev')
  await fillIn(page, { [admin.username]: username, [admin.password]: password })
  await button(page, admin.submit).click()
  await expect(page.getByLabel(texts.fields.code, { exact: true })).toBeFocused()
  // The code that confirmed the app counts as used, so this is the next one.
  const epoch = Math.floor(Date.now() / 1000) + 30
  await fillIn(page, { [texts.fields.code]: generateSync({ secret, epoch }) })
  await button(page, admin.submit).click()
}

// R-accounts-53, R-accounts-54, R-accounts-55
test('invites a support administrator, who sets up an authenticator app, signs in with a code, and can only read', async ({
  openProfile,
  product,
}) => {
  const settings = await openProfile()
  await signInAsAdministrator(settings, product)
  await settings.page.goto('/dev')
  await settings.page.getByRole('tab', { name: texts.tab }).click()
  await button(settings.page, texts.list.add).click()
  const invitation = settings.page.getByRole('dialog', { name: texts.list.add })
  await fillIn(invitation, { [texts.fields.name]: 'Robin Vale', [texts.fields.username]: 'robin.vale' })
  await button(invitation, texts.list.send).click()
  const shown = settings.page.getByRole('dialog', { name: texts.list.linkTitle })
  const link = await shown.getByLabel(texts.list.link).inputValue()

  const robin = await openProfile()
  await robin.page.goto(link)
  await fillIn(robin.page, {
    [texts.invitation.password]: password,
    [texts.invitation.confirmPassword]: password,
  })
  await button(robin.page, texts.invitation.submit).click()
  await expect(robin.page.getByText('Signed in as robin.vale (Support)')).toBeVisible()
  await robin.page.getByRole('tab', { name: texts.tab }).click()
  await button(robin.page, texts.enroll.start).click()
  const secret = (await robin.page.locator('code').first().textContent())?.replaceAll(' ', '') ?? ''
  await fillIn(robin.page, {
    [texts.fields.code]: generateSync({ secret, epoch: Math.floor(Date.now() / 1000) }),
  })
  await button(robin.page, texts.enroll.confirm).click()
  const codes = robin.page.getByRole('list', { name: texts.enroll.recoveryTitle }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  // They stay while the administrator opens a password manager and comes back.
  const again = robin.page.waitForResponse('**/admin/me')
  await robin.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  expect(await (await again).json()).toMatchObject({ hasCodes: true })
  await expect(codes).toHaveCount(10)
  await button(robin.page, texts.enroll.stored).click()

  const elsewhere = await openProfile()
  await signIn(elsewhere, 'robin.vale', secret)
  await expect(elsewhere.page.getByText(texts.onlyOperators)).toBeVisible()
  await elsewhere.page.getByRole('tab', { name: dealTexts.listings.title }).click()
  await expect(elsewhere.page.getByRole('table', { name: dealTexts.listings.title })).toBeVisible()
  await expect(button(elsewhere.page, dealTexts.listings.remove)).toHaveCount(0)
  await expect(
    callApi(elsewhere, `DELETE /admin/cars/${'a'.repeat(24)}`, { reason: 'Fraud' }),
  ).rejects.toThrow('OperatorRequired')
})

// R-accounts-56, R-accounts-58
test('asks for the password again before a listing is removed, keeps the reason, and records the removal', async ({
  openProfile,
  product,
}) => {
  await createSale(openProfile, product, '1HGCM82633A123456')
  const operator = await openProfile()
  const { page, watch } = operator
  watch.allowErrors(/^DELETE \/admin\/cars\/\w+ 40[13]$/, /^POST \/admin\/me\/confirm 403$/)
  await signInAsAdministrator(operator, product)
  await product.ageAdministratorSignIn()
  await page.goto('/dev')
  await page.getByRole('tab', { name: dealTexts.listings.title }).click()
  await button(page, dealTexts.listings.remove).first().click()
  const removal = page.getByRole('dialog', { name: dealTexts.listings.removeTitle })
  await fillIn(removal, { [dealTexts.listings.reason]: 'Not the owner' })
  // The session is renewed first, and then asks for the password.
  await operator.context.clearCookies({ name: 'aat' })
  await button(removal, dealTexts.listings.remove).click()
  const again = page.getByRole('dialog', { name: texts.confirm.title })
  await fillIn(again, { [texts.confirm.password]: 'not this one' })
  await button(again, texts.confirm.submit).click()
  await expect(again.getByText(texts.confirm.wrong)).toBeVisible()
  await fillIn(again, { [texts.confirm.password]: product.administrator.password })
  await button(again, texts.confirm.submit).click()
  await expect(page.getByText(dealTexts.listings.removed)).toBeVisible()
  await expect(removal).toBeHidden()
  await page.getByRole('tab', { name: texts.tab }).click()
  await expect(
    page.getByRole('table', { name: texts.events.title }).getByText('Removed a listing'),
  ).toBeVisible()
})
