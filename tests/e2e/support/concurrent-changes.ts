import type { Locator, Page } from '@playwright/test'
import { aPicture } from '../../support/pictures.ts'
import { pressInDialog } from './press.ts'
import { callApi, saleParams } from './setup.ts'
import { expect, type Profile } from './test.ts'

// Changes that one party makes through the API while the other has a page open.

export async function openPageWithoutEvents({ context, watch }: Profile): Promise<Page> {
  watch.allowFailedRequests(true)
  const page = await context.newPage()
  await blockEvents(page)
  return page
}

/** Blocks events of the server and of other tabs, from the next document on. */
export async function blockEvents(page: Page) {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'BroadcastChannel'))
  await page.route('**/events?*', (route) => route.abort())
}

export const button = (where: Page | Locator, name: string) =>
  where.getByRole('button', { name, exact: true })

/** Chooses an entry of a dashboard row's menu, such as `Edit: 2019 Honda Civic LE`. */
export async function chooseFromMenu(page: Page, entry: string) {
  await button(page, `More: ${entry.slice(entry.indexOf(': ') + 2)}`).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

export async function expectChanges(where: Locator, lines: (string | RegExp)[]) {
  await expect(where.getByRole('alert').getByRole('listitem')).toHaveText(lines)
}

/**
 * Makes the other party's change, and expects the page to show it before the button is enabled
 * again.
 */
export async function reviewChanges(
  where: Locator,
  buttonName: string,
  change: () => Promise<unknown>,
  lines: (string | RegExp)[],
) {
  await change()
  await expectChanges(where, lines)
  await expect(button(where, buttonName)).toBeDisabled()
  await acceptChanges(where)
  await expect(where.getByRole('alert')).toBeHidden()
}

export const acceptChanges = (where: Locator) =>
  pressInDialog(where.getByRole('button', { name: /^(Continue with|Show the current state)/ }))

async function getProgress(profile: Profile, link: string) {
  const { userId, vin } = saleParams(link)
  return callApi(profile, `GET /progress/${userId}/${vin}`)
}

export async function expectPrice(buyer: Profile, link: string, price: number) {
  await expect.poll(async () => (await getProgress(buyer, link)).price).toBe(price)
}

export const changeOffer = (buyer: Profile, link: string, price: number) =>
  callApi(buyer, 'PATCH /cars/buyer', { ...saleParams(link), status: 'PENDING', price })

export async function withdrawRequest(buyer: Profile, link: string) {
  const { buyerId, vin } = await getProgress(buyer, link)
  await callApi(buyer, `DELETE /cars/delete/BUYER/${buyerId}/${vin}`)
}

export async function addCarPhoto(seller: Profile, link: string) {
  const data = await aPicture()
  const headers = { 'content-type': 'image/jpeg' }
  const response = await seller.context.request.post(`/cars/photos/${await carIdOf(seller, link)}`, {
    data,
    headers,
  })
  expect(response.ok()).toBe(true)
}

/** Sets the asking price; offers stay as they are. */
export async function setAskingPrice(seller: Profile, link: string, newPrice: number) {
  await callApi(seller, `PUT /cars/update-price/${await carIdOf(seller, link)}`, { newPrice })
}

/** Proposes another price to the buyer. */
export async function proposePrice(seller: Profile, buyer: Profile, link: string, price: number | null) {
  const { buyerId } = await getProgress(buyer, link)
  await callApi(seller, 'PUT /cars/proposal', { ...saleParams(link), buyerId, price })
}

async function carIdOf(seller: Profile, link: string): Promise<string | undefined> {
  const { userId, vin } = saleParams(link)
  const cars: { _id: string; vin: string }[] = await callApi(seller, `GET /cars/${userId}`)
  return cars.find((one) => one.vin === vin)?._id
}

export const confirmBuyer = (seller: Profile, link: string) =>
  callApi(seller, 'PATCH /cars/buyer', { ...saleParams(link), status: 'ACCEPTED' })

/** Denies the intended buyer's request. */
export const denyRequest = (seller: Profile, link: string, message: string) =>
  callApi(seller, 'PATCH /cars/buyer', { ...saleParams(link), status: 'REJECTED', message })

export const releaseBuyer = (seller: Profile, link: string) =>
  callApi(seller, 'PATCH /cars/buyer', { ...saleParams(link), status: 'REJECTED' })

/** Changes a detail of the car that is part of the agreement. */
export const changeMileage = (seller: Profile, link: string, mileage: number) =>
  callApi(seller, 'PATCH /cars/edit', { vin: saleParams(link).vin, mileage })
