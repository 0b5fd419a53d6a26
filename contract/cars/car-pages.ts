import type { z } from 'zod'
import type { Person } from '../accounts/endpoints.ts'
import type { PageAddress, RenderedPage } from '../shared/pages.ts'
import type { carFacts, PublicCar } from './endpoints.ts'
import type { VisitorPart } from './rules.ts'

/** The visitor's relation to the car, as far as the page depends on it. */
export type CarVisitor = { part: VisitorPart; isBuyer: boolean }

/** The dealer that completes the sale, as configured by the operator; null values are unknown. */
export type DealerDetails = {
  name: string
  address: string | null
  phone: string | null
  hours: string | null
}

/** What the server has checked about a listing, beyond what its seller typed (R-cars-38). */
export type CarChecks = {
  isEmailConfirmed: boolean
  /** The car that the VIN stands for; null if it was not decoded, or differs from the listing. */
  decoded: { year: number; make: string; carModel: string } | null
}

/** Content of /car (R-cars-15 to R-cars-19). */
export type CarPageData =
  | {
      face: 'shared'
      seller: Person
      car: PublicCar
      /** Derived from the ZIP code; null when unknown. */
      state: string | null
      /** Null for a stranger and for an unauthenticated request. */
      visitor: CarVisitor | null
      dealer: DealerDetails
      checks: CarChecks
    }
  /** A sold car, shown to its two parties and to other buyers who had requested it. */
  | { face: 'sold'; car: PublicCar; part: Exclude<VisitorPart, 'none'> }
  | { face: 'invalid'; isKnown: boolean }
  /** The seller's account is suspended; the page does not say so. */
  | { face: 'unavailable'; isKnown: boolean }
  /** The lookup failed; `why` is a sentence to display. */
  | { face: 'unsure'; why: string }

/** The part of a car that /buy-this-car shows. */
export type RequestableCar = z.output<typeof carFacts> &
  Pick<PublicCar, 'vin' | 'bodyType' | 'photos' | 'price' | 'status'>

/** Content of /buy-this-car (R-cars-18); the link leads to the purchase. */
export type BuyPageData =
  | { face: 'shared'; car: RequestableCar; link: { userId: string; vin: string }; isKnown: boolean }
  | { face: 'invalid'; isKnown: boolean }
  | { face: 'unavailable'; isKnown: boolean }
  /** The lookup failed; `why` is a sentence to display. */
  | { face: 'unsure'; why: string }

export type CarPages = { car(page: CarPageData, address: PageAddress): RenderedPage }
export type CarFormPages = { buyThisCar(page: BuyPageData): RenderedPage }
