import type { UserType } from '@keyturn/contract/accounts/rules.ts'

type Facts = [
  userType: UserType,
  firstName: string,
  lastName: string,
  phoneNumber: string,
  password: string,
  /** The states that this account demonstrates. */
  shows: string,
]

const account = (...[userType, firstName, lastName, phoneNumber, password, shows]: Facts) => ({
  userType,
  firstName,
  lastName,
  phoneNumber,
  email: `${firstName.toLowerCase()}@example.com`,
  password,
  who: `${firstName}, ${userType.toLowerCase()}`,
  shows,
})

const mayaShows = 'cars from just listed to sold; the Civic has three requests'
const danielShows = 'more cars; the Golf waits for his signature'
const elenaShows = 'a purchase at every stage; the CX-5 waits for her signature'
const marcusShows = 'a trade in every state, and purchases that wait for one'
const graceShows = 'confirmed for the F-150, would like a loan'
const victorShows = 'the trades of all buyers'

/** In the order in which the startup output lists them. */
export const demoPeople = {
  maya: account('SELLER', 'Maya', 'Whitfield', '303-555-0117', 'cedar-harbor-41', mayaShows),
  daniel: account('SELLER', 'Daniel', 'Okafor', '312-555-0164', 'amber-meadow-27', danielShows),
  nora: account('SELLER', 'Nora', 'Lindqvist', '612-555-0139', 'silver-lantern-58', 'nothing yet'),
  elena: account('BUYER', 'Elena', 'Marsh', '720-555-0182', 'maple-window-63', elenaShows),
  marcus: account('BUYER', 'Marcus', 'Reed', '313-555-0126', 'copper-bridge-35', marcusShows),
  grace: account('BUYER', 'Grace', 'Kim', '773-555-0153', 'velvet-orchard-19', graceShows),
  omar: account('BUYER', 'Omar', 'Haddad', '602-555-0171', 'willow-station-84', 'nothing yet'),
  victor: account('WHOLESALER', 'Victor', 'Stone', '248-555-0148', 'granite-feather-72', victorShows),
  wanda: account('WHOLESALER', 'Wanda', 'Price', '614-555-0195', 'crystal-garden-46', 'not approved yet'),
}

export type DemoPersonName = keyof typeof demoPeople
export const demoPersonNames = Object.keys(demoPeople) as DemoPersonName[]
