import type { Page } from '@playwright/test'
import { fillIn } from './person.ts'
import { expect } from './test.ts'

// Steps of a deal that several journeys share.

/** Answers a question of the guided purchase, which goes on at once. */
export async function answer(page: Page, question: string, word: 'Yes' | 'No') {
  await expect(page.getByRole('heading', { name: question })).toBeVisible()
  await answerOf(page, word).click()
}

export const answerOf = (page: Page, word: 'Yes' | 'No') =>
  page.getByRole('button', { name: word, exact: true })

/** An answer that was given before. */
export const expectAnswered = (page: Page, word: 'Yes' | 'No') =>
  expect(answerOf(page, word)).toHaveAttribute('aria-pressed', 'true')

export async function expectPercent(page: Page, percent: number) {
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', String(percent))
}

/** Opens the agreement, checks its price, and signs. */
export async function sign(page: Page, name: string, price: string) {
  await page.getByRole('button', { name: 'Sign Agreement' }).click()
  const agreement = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
  await expect(agreement).toContainText(price)
  await fillIn(agreement, { Name: name, Signature: `/s/ ${name}` })
  await agreement.getByRole('button', { name: 'I Agree' }).click()
  await expect(agreement).toBeHidden()
}
