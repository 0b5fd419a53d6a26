import type { UserType } from '@keyturn/contract/accounts/rules.ts'

/** Who somebody is, how they sign in, and what there is to see with their eyes. */
type DemoAccount = {
  userType: UserType
  firstName: string
  lastName: string
  phoneNumber: string
  email: string
  password: string
  who: string
  shows: string
}

/** In the order in which the start names them. */
export const demoPeople = {
  maya: {
    userType: 'SELLER',
    firstName: 'Maya',
    lastName: 'Whitfield',
    phoneNumber: '303-555-0117',
    email: 'maya@example.com',
    password: 'cedar-harbor-41',
    who: 'Maya, seller',
    shows: 'cars from just listed to sold; the Civic has three requests',
  },
  daniel: {
    userType: 'SELLER',
    firstName: 'Daniel',
    lastName: 'Okafor',
    phoneNumber: '312-555-0164',
    email: 'daniel@example.com',
    password: 'amber-meadow-27',
    who: 'Daniel, seller',
    shows: 'more cars; the Golf waits for his signature',
  },
  nora: {
    userType: 'SELLER',
    firstName: 'Nora',
    lastName: 'Lindqvist',
    phoneNumber: '612-555-0139',
    email: 'nora@example.com',
    password: 'silver-lantern-58',
    who: 'Nora, seller',
    shows: 'nothing yet',
  },
  elena: {
    userType: 'BUYER',
    firstName: 'Elena',
    lastName: 'Marsh',
    phoneNumber: '720-555-0182',
    email: 'elena@example.com',
    password: 'maple-window-63',
    who: 'Elena, buyer',
    shows: 'a purchase at every stage; the CX-5 waits for her signature',
  },
  marcus: {
    userType: 'BUYER',
    firstName: 'Marcus',
    lastName: 'Reed',
    phoneNumber: '313-555-0126',
    email: 'marcus@example.com',
    password: 'copper-bridge-35',
    who: 'Marcus, buyer',
    shows: 'a trade in every state, and purchases that wait for one',
  },
  grace: {
    userType: 'BUYER',
    firstName: 'Grace',
    lastName: 'Kim',
    phoneNumber: '773-555-0153',
    email: 'grace@example.com',
    password: 'velvet-orchard-19',
    who: 'Grace, buyer',
    shows: 'confirmed for the F-150, would like a loan',
  },
  omar: {
    userType: 'BUYER',
    firstName: 'Omar',
    lastName: 'Haddad',
    phoneNumber: '602-555-0171',
    email: 'omar@example.com',
    password: 'willow-station-84',
    who: 'Omar, buyer',
    shows: 'nothing yet',
  },
  victor: {
    userType: 'WHOLESALER',
    firstName: 'Victor',
    lastName: 'Stone',
    phoneNumber: '248-555-0148',
    email: 'victor@example.com',
    password: 'granite-feather-72',
    who: 'Victor, wholesaler',
    shows: 'the trades of all buyers',
  },
  wanda: {
    userType: 'WHOLESALER',
    firstName: 'Wanda',
    lastName: 'Price',
    phoneNumber: '614-555-0195',
    email: 'wanda@example.com',
    password: 'crystal-garden-46',
    who: 'Wanda, wholesaler',
    shows: 'not approved yet',
  },
} as const satisfies Record<string, DemoAccount>

export type Name = keyof typeof demoPeople
export const names = Object.keys(demoPeople) as Name[]
