import { agreementStatuses } from '@keyturn/contract/agreements/verification/endpoints.ts'
import type { VerifyPage } from '@keyturn/contract/agreements/verify-page.ts'
import { apiDocs } from '@keyturn/contract/api-docs.ts'
import type { BuyPageData, CarPageData } from '@keyturn/contract/cars/car-pages.ts'
import { optionalDetails, type PublicCar } from '@keyturn/contract/cars/endpoints.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import { allErrors } from '@keyturn/contract/errors.ts'
import { buildOpenApi } from '@keyturn/contract/openapi/build-openapi.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import type { LandingPageData } from '@keyturn/contract/shared/pages.ts'
import type { Photo } from '@keyturn/contract/shared/photo.ts'

// Every state of the pages with data. The build keeps the styles that these examples need.
// `tools/page-styles.test.ts` compares them with real pages.

const photo: Photo = { id: '0'.repeat(64), width: 1920, height: 1280, placeholder: '', caption: 'Odometer' }

const car: PublicCar = {
  ...{ _id: 'f'.repeat(24), sellerId: 'f'.repeat(24), vin: '1HGCM82633A004352', version: 1, createdAt: '' },
  ...{ make: 'Honda', carModel: 'Accord', year: 2003, trim: 'EX', mileage: 91_000, color: 'Silver' },
  ...{ payoff: true, bodyType: null, photos: [photo, photo], price: null, status: null, zipCode: '87104' },
  ...optionalDetails.parse({
    description: 'Kept in a garage',
    condition: 'Good',
    owners: 1,
    titleHolder: 'SELLER',
  }),
}

const seller = {
  _id: car.sellerId,
  firstName: 'A',
  lastName: 'B',
  email: 'a@b.example',
  phoneNumber: '5055550123',
}
const dealer = { name: 'AutoNation', address: '1 Main St', phone: '5055550100', hours: 'Mon to Fri' }
const decoded = { year: 2003, make: 'Honda', carModel: 'Accord' }
const checks = { isEmailConfirmed: true, decoded }
const shared = { face: 'shared', seller, car, state: 'NM', visitor: null, dealer, checks } as const
const plain: PublicCar = {
  ...car,
  photos: [],
  description: '',
  condition: '',
  price: cents(1),
  status: 'ACCEPTED',
}
const parts = ['none', 'buyer', 'seller'] as const

export const carPages: readonly CarPageData[] = [
  shared,
  { ...shared, car: plain },
  { ...shared, car: { ...car, photos: [photo] } },
  {
    ...shared,
    car: { ...car, photos: [0, 1, 2, 3, 4, 5].map((at) => ({ ...photo, id: `${at}`.repeat(64) })) },
  },
  ...parts.flatMap((part) =>
    [car, plain].flatMap((shown) =>
      [true, false].map((isBuyer) => ({ ...shared, car: shown, visitor: { part, isBuyer } })),
    ),
  ),
  { face: 'sold', car, part: 'buyer' },
  { face: 'sold', car: plain, part: 'seller' },
  { face: 'invalid', isKnown: false },
  { face: 'unavailable', isKnown: false },
  { face: 'unsure', why: 'Keyturn is unavailable right now.' },
]

const link = { userId: car.sellerId, vin: car.vin }

export const buyPages: readonly BuyPageData[] = [
  { face: 'shared', car, link, isKnown: false },
  { face: 'shared', car: plain, link, isKnown: true },
  { face: 'invalid', isKnown: false },
  { face: 'unavailable', isKnown: false },
  { face: 'invalid', isKnown: true },
  { face: 'unsure', why: 'Keyturn is unavailable right now.' },
]

const said = [{ name: 'Ana', stars: 4, text: 'Two evenings.' }]
const landing = { agreement: null, creditStates: 41, contactAddress: '1 Main St' }

export const landingPages: readonly LandingPageData[] = [
  { side: 'selling', link: {}, home: null, ...landing, testimonials: { isSample: true, said } },
  { side: 'buying', link, home: null, ...landing, testimonials: { isSample: false, said } },
  { side: 'buying', link: {}, home: '/home', ...landing, testimonials: { isSample: false, said: [] } },
]

const digest = '0'.repeat(64)
const proven = { head: { size: 3, root: digest, note: '' }, key: '', rows: [] }
const cosigned = [{ witness: 'witness.example', at: '2026-11-27T12:00:00.000Z' }]

export const verifyPages: readonly VerifyPage[] = [
  { number: null, status: null },
  { number: digest, status: 'unknown' },
  ...agreementStatuses.flatMap((state) =>
    [null, proven].map((one) => ({ number: digest, status: { state, digest, proven: one, cosigned } })),
  ),
]

export const developersPageDocument = () =>
  buildOpenApi({ calls: allEndpoints, errors: allErrors, docs: apiDocs, version: '0' })
