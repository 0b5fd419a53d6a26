import { demoCars } from '../../../server/commands/seed/cars.ts'
import { demoPeople } from '../../../server/commands/seed/people.ts'
import { type ApiClient, callApi, saleParams } from './setup.ts'

export type DemoName = keyof typeof demoPeople
/** The query of a link to a car: its seller and its VIN. */
export type LinkTo = (car: keyof typeof demoCars) => string

/** Signs a browser in as one of the demo people, whose cars and deals cover every stage. */
export async function signInAs(name: DemoName, who: ApiClient): Promise<LinkTo> {
  const { email, password } = demoPeople[name]
  const { _id } = await callApi(who, 'POST /auth/login', { email, password })
  return (car) => `userId=${_id}&vin=${demoCars[car].vin}`
}

/** For a deal that both parties signed; the request uses the signed-in person's session. */
export async function packageIdOf(link: string, who: ApiClient): Promise<string> {
  const { userId, vin } = saleParams(link)
  return (await callApi(who, `GET /progress/pkg/id/${userId}/${vin}`)).pkgId
}
