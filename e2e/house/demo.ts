import { demoCars } from '../../server/seed/cars.ts'
import { demoPeople } from '../../server/seed/people.ts'
import type { Profile } from './test.ts'

export type DemoName = keyof typeof demoPeople
/** The query of a link to a car: its seller and its VIN. */
export type LinkTo = (car: keyof typeof demoCars) => string

/** Signs a browser in as one of the demo people, whose cars and deals cover every stage. */
export async function becomes(name: DemoName, { context }: Profile): Promise<LinkTo> {
  const { email, password } = demoPeople[name]
  const answer = await context.request.post('/auth/login', { data: { email, password } })
  if (!answer.ok()) throw new Error(`${name} could not sign in: ${answer.status()} ${await answer.text()}`)
  const { _id } = await answer.json()
  return (car) => `userId=${_id}&vin=${demoCars[car].vin}`
}

/** For a deal that both have signed; asked as whoever is signed in. */
export async function packageIdOf(link: string, { context }: Profile): Promise<string> {
  const asked = new URLSearchParams(link)
  const answer = await context.request.get(`/progress/pkg/id/${asked.get('userId')}/${asked.get('vin')}`)
  return (await answer.json()).pkgId
}
