import type { Locator, Page } from '@playwright/test'
import { aPicture } from '../../support/pictures.ts'
import { ask, saleOf } from './setup.ts'
import { expect, type Profile } from './test.ts'

// One person acts through the API while another has a page open; then checks that page.

/** A page that gets no server events. */
export async function deafPageOf({ context, watch }: Profile): Promise<Page> {
  watch.mayLoseRequests(true)
  const page = await context.newPage()
  await deafen(page)
  return page
}

/** Blocks events of the server and of other tabs, from the next document on. */
export async function deafen(page: Page) {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'BroadcastChannel'))
  await page.route('**/events?*', (route) => route.abort())
}

export const button = (where: Page | Locator, name: string) =>
  where.getByRole('button', { name, exact: true })

/** Chooses from the menu of a dashboard's row, such as `Edit: 2019 Honda Civic LE`. */
export async function fromMenu(page: Page, entry: string) {
  await button(page, `More: ${entry.slice(entry.indexOf(': ') + 2)}`).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

export async function expectNews(where: Locator, lines: (string | RegExp)[]) {
  await expect(where.getByRole('alert').getByRole('listitem')).toHaveText(lines)
}

/** The other person acts before a decision is sent; the page must show that before it can be sent. */
export async function readsNews(
  where: Locator,
  decision: string,
  meanwhile: () => Promise<unknown>,
  lines: (string | RegExp)[],
) {
  await meanwhile()
  await expectNews(where, lines)
  await expect(button(where, decision)).toBeDisabled()
  await goesOn(where)
  await expect(where.getByRole('alert')).toBeHidden()
}

export const goesOn = (where: Locator) =>
  where.getByRole('button', { name: /^(Continue with|Show how it stands)/ }).press('Enter')

async function dealOf(who: Profile, link: string) {
  const { userId, vin } = saleOf(link)
  return ask(who, `GET /progress/${userId}/${vin}`)
}

export async function expectPrice(buyer: Profile, link: string, price: number) {
  await expect.poll(async () => (await dealOf(buyer, link)).price).toBe(price)
}

export const reprices = (buyer: Profile, link: string, price: number) =>
  ask(buyer, 'PATCH /cars/buyer', { ...saleOf(link), status: 'PENDING', price })

export async function withdraws(buyer: Profile, link: string) {
  const { buyerId, vin } = await dealOf(buyer, link)
  await ask(buyer, `DELETE /cars/delete/BUYER/${buyerId}/${vin}`)
}

/** Adds a photo to a seller's car. */
export async function photographs(seller: Profile, link: string) {
  const data = await aPicture()
  const headers = { 'content-type': 'image/jpeg' }
  const answer = await seller.context.request.post(`/cars/photos/${await carIdOf(seller, link)}`, {
    data,
    headers,
  })
  expect(answer.ok()).toBe(true)
}

/** Sets the asking price, which pending requests adopt. */
export async function asks(seller: Profile, link: string, newPrice: number) {
  await ask(seller, `PUT /cars/update-price/${await carIdOf(seller, link)}`, { newPrice })
}

async function carIdOf(seller: Profile, link: string): Promise<string | undefined> {
  const { userId, vin } = saleOf(link)
  const cars: { _id: string; vin: string }[] = await ask(seller, `GET /cars/${userId}`)
  return cars.find((one) => one.vin === vin)?._id
}

export const confirms = (seller: Profile, link: string) =>
  ask(seller, 'PATCH /cars/buyer', { ...saleOf(link), status: 'ACCEPTED' })

/** Denies the intended buyer's request. */
export const denies = (seller: Profile, link: string, message: string) =>
  ask(seller, 'PATCH /cars/buyer', { ...saleOf(link), status: 'REJECTED', message })

export const releases = (seller: Profile, link: string) =>
  ask(seller, 'PATCH /cars/buyer', { ...saleOf(link), status: 'REJECTED' })

/** Changes a detail of the car that is part of the agreement. */
export const mends = (seller: Profile, link: string, mileage: number) =>
  ask(seller, 'PATCH /cars/edit', { vin: saleOf(link).vin, mileage })
