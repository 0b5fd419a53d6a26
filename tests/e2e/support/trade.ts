import type { Page } from '@playwright/test'
import { aTradeForm } from '../../support/trades.ts'
import { signInAs } from './demo.ts'
import { aPerson } from './person.ts'
import type { RunningApp } from './product.ts'
import { callApi, registerAndVerify, signInAsAdministrator } from './setup.ts'
import type { Profile } from './test.ts'

export const pickupName = '2013 Ford F-150 XLT'

/** Creates a trade of a buyer (Bea), for which a wholesaler (Victor) can make offers. */
export async function createTrade(openProfile: () => Promise<Profile>, product: RunningApp, vin: string) {
  const bea = aPerson('Bea', 'Buyer')
  const [administrator, owner, victor] = [await openProfile(), await openProfile(), await openProfile()]
  await signInAsAdministrator(administrator, product)
  await registerAndVerify(owner, administrator, 'BUYER', bea)
  await signInAs('victor', victor)
  const { _id: id } = await callApi(owner, 'POST /trades', aTradeForm({ vin }))
  const makeOffer = (price: number) => callApi(victor, `PATCH /trades/${id}`, { status: 'OFFERED', price })
  const counterOffer = (price: number) => callApi(owner, `PATCH /trades/${id}`, { status: 'OFFER', price })
  return { id, bea, owner, victor, makeOffer, counterOffer }
}

/** Finds a trade by its owner's name, because a wholesaler's list has the trades of all tests. */
export const tradeRequestOf = (page: Page, owner: string) =>
  page.getByRole('listitem').filter({ hasText: owner })
