import { demoCars } from '../../../server/commands/seed/demo-cars.ts'
import { demoPeople } from '../../../server/commands/seed/demo-people.ts'
import { type ApiClient, callApi, saleParams } from './setup.ts'

export type DemoName = keyof typeof demoPeople
/** Returns the query of a link to a car: its seller and its VIN. */
export type LinkTo = (car: keyof typeof demoCars) => string

/** Signs a browser in as one of the demo people, whose cars and deals are at every stage. */
export async function signInAs(name: DemoName, client: ApiClient): Promise<LinkTo> {
  const { email, password } = demoPeople[name]
  const { _id } = await callApi(client, 'POST /auth/login', { email, password })
  return (car) => `userId=${_id}&vin=${demoCars[car].vin}`
}

/** Returns the package id of a deal that both parties signed, as the signed-in party reads it. */
export async function fetchPackageId(link: string, client: ApiClient): Promise<string> {
  const { userId, vin } = saleParams(link)
  return (await callApi(client, `GET /progress/pkg/id/${userId}/${vin}`)).pkgId
}
