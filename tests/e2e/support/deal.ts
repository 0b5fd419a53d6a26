import type { Page } from '@playwright/test'
import { fillIn } from './person.ts'
import { expect } from './test.ts'

// Steps of a deal that several tests share.

/** Answers a question of the guided purchase, which then continues on its own. */
export async function answerQuestion(page: Page, question: string, word: 'Yes' | 'No') {
  await expect(page.getByRole('heading', { name: question })).toBeVisible()
  await answerButton(page, word).click()
}

export const answerButton = (page: Page, word: 'Yes' | 'No') =>
  page.getByRole('button', { name: new RegExp(`^${word}\\b`) })

export const expectAnswered = (page: Page, word: 'Yes' | 'No') =>
  expect(answerButton(page, word)).toHaveAttribute('aria-pressed', 'true')

/** Confirms the buyer, and closes the agreement that then opens. */
export async function confirmBuyerInDialog(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Confirm Intended Buyer' })
  await dialog.getByRole('button', { name: 'Confirm Buyer' }).click()
  // The agreement replaces a shorter dialog once it has loaded, and a click in between would be lost.
  const agreement = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
  await expect(agreement.getByRole('heading', { name: 'Buyer Confirmed!' })).toBeVisible()
  await agreement.getByRole('button', { name: 'Close' }).click()
  await expect(agreement).toBeHidden()
}

export async function expectProgress(page: Page, percent: number) {
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', String(percent))
}

export async function signAgreement(page: Page, name: string, price: string) {
  await page.getByRole('button', { name: 'Sign Agreement' }).click()
  await signOpenAgreement(page, name, price)
}

export async function signOpenAgreement(page: Page, name: string, price: string) {
  const agreement = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
  await expect(agreement).toContainText(price)
  await fillIn(agreement, { Name: name, Signature: `/s/ ${name}` })
  await agreement.getByRole('button', { name: 'I Agree' }).click()
  await expect(agreement).toBeHidden()
}
