import type { z } from 'zod'
import type { Person } from '../accounts/endpoints.ts'
import type { PageAddress, Rendered } from '../shared/pages.ts'
import type { carFacts, PublicCar } from './endpoints.ts'
import type { Part } from './rules.ts'

/** Who looks, as far as the page says something else to them. */
export type Visitor = { part: Part; isBuyer: boolean }

/** What /car shows (R-cars-15 to R-cars-19). */
export type CarPage =
  | {
      face: 'shared'
      seller: Person
      car: PublicCar
      /** Of its ZIP code, where that is known. */
      state: string | null
      /** Null for a stranger, and where the request did not say who asks. */
      visitor: Visitor | null
    }
  /** Sold, to one of its two parties, or to a `buyer` who had asked for it too. */
  | { face: 'sold'; car: PublicCar; part: Exclude<Part, 'none'> }
  | { face: 'invalid'; isKnown: boolean }
  /** The car could not be looked up: why, in a sentence. */
  | { face: 'unsure'; why: string }

/** Of a car, what /buy-this-car shows. */
export type InterestingCar = z.output<typeof carFacts> &
  Pick<PublicCar, 'vin' | 'bodyType' | 'photos' | 'price' | 'status'>

/** What /buy-this-car shows (R-cars-18); the link leads on to the purchase. */
export type BuyPage =
  | { face: 'shared'; car: InterestingCar; link: { userId: string; vin: string }; isKnown: boolean }
  | { face: 'invalid' }
  /** The car could not be looked up: why, in a sentence. */
  | { face: 'unsure'; why: string }

export type CarPages = { car(page: CarPage, address: PageAddress): Rendered }
export type CarForms = { buyThisCar(page: BuyPage): Rendered }
