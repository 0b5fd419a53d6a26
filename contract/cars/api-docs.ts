import type { ModuleDocs } from '../openapi/module-docs.ts'
import { usd, usdOrUnset } from '../shared/money.ts'
import { photo } from '../shared/photo.ts'
import { claim, claimedCar } from './claims.ts'
import { car, carDetails, carFacts, publicCar, sharedCar } from './endpoints.ts'

const car1 = {
  vin: '1HGCM82633A004352',
  make: 'Honda',
  carModel: 'Accord',
  year: 2021,
  trim: 'EX',
  mileage: 48_000,
  color: 'Midnight Blue',
  payoff: false,
}
const price = 'The seller’s asking price in dollars; 0 if there is none yet.'
const picture = {
  description:
    'The body is the picture itself: JPEG, PNG or WebP of at most 15 MB. The answer is 200 if the car has this picture already.',
}

export const carsApiDocs: ModuleDocs = {
  tag: {
    name: 'Cars',
    description: 'Listings: what a seller offers, and what buyers and strangers see of it.',
  },
  operations: {
    'GET /cars/:userId': {
      summary: 'List your cars',
      description:
        'Your listings and your purchases, each with the state of its deal. `userId` is your own id. From here, `sellerId` and `vin` lead to the deal.',
    },
    'GET /cars/vin/:vin': {
      summary: 'Find your car by its VIN',
      description: 'For the seller and the buyers of the car.',
    },
    'GET /cars/requests/:carId': {
      summary: 'List the requests for your car',
      description: 'Each buyer’s price, trades and wish for a loan.',
    },
    'GET /cars/public/:userId/:vin': {
      summary: 'Read a shared car and its seller',
      description: 'What anybody sees who has the link.',
    },
    'GET /cars/user/:userId/:vin': {
      summary: 'Read a car',
      description: 'More fields for its parties than for everybody else.',
    },
    'GET /cars/flyer/:vin': { summary: 'Print a flyer of your car', description: 'A PDF of one page.' },
    'GET /vin/:vin': { summary: 'Look up a VIN', description: 'Make, model, year and trim.' },
    'POST /vin/warm': {
      summary: 'Prepare looking up a VIN',
      description: 'Makes the first lookup faster. Nothing else changes.',
    },
    'POST /cars/input': {
      summary: 'List a car for sale',
      description: 'A VIN has one live listing: otherwise 409 VinAlreadyListed.',
      example: { ...car1, price: 18_500, zipCode: '48201' },
    },
    'PATCH /cars/edit': {
      summary: 'Change a car',
      description: 'Omitted fields stay. A change of the terms voids signatures.',
      example: { vin: car1.vin, mileage: 48_210, version: 1042 },
    },
    'PUT /cars/update-price/:carId': {
      summary: 'Change the asking price',
      description: 'Requests keep their own price.',
      example: { newPrice: 18_200, version: 1042 },
    },
    'PUT /cars/describe/:carId': {
      summary: 'Describe a car',
      description: 'Replaces all details: an omitted one is cleared.',
    },
    'POST /cars/photos/:carId': { summary: 'Add a photo of a car', ...picture },
    'PUT /cars/photos/:carId/order': 'Order the photos of a car',
    'PATCH /cars/photos/:carId/:photoId': 'Caption a photo of a car',
    'DELETE /cars/photos/:carId/:photoId': 'Delete a photo of a car',
    'POST /cars/request': {
      summary: 'Request to buy a car',
      description: 'The buyer’s offer: a price in whole dollars, and the VINs of trades.',
      example: { vin: car1.vin, price: 18_500, trades: [] },
    },
    'PATCH /cars/buyer': {
      summary: 'Answer or change a request',
      description:
        'The seller confirms (ACCEPTED) or denies (REJECTED) a buyer’s request. The buyer changes the price of their own request (PENDING).',
      example: {
        userId: '6566b0e2a1f4c3d2e1b0a998',
        vin: car1.vin,
        status: 'ACCEPTED',
        buyerId: '6566b0e2a1f4c3d2e1b0a111',
        version: 1042,
      },
    },
    'PUT /cars/proposal': {
      summary: 'Propose another price to a buyer',
      description: '`price: null` takes the proposal back.',
    },
    'PATCH /cars/proposal': {
      summary: 'Answer a proposal of the seller',
      description: 'An accepted proposal becomes the buyer’s offer.',
    },
    'DELETE /cars/delete/:userType/:userId/:vin': {
      summary: 'Take down a car, or withdraw a request',
      description: 'As SELLER you delete the listing, as BUYER you end your request.',
    },
    'POST /cars/claims': {
      summary: 'Report that a stranger has listed your car',
      description: 'An administrator decides. The answer says nothing about the listing.',
      example: { ...car1, reason: 'This is my car, and I have not listed it.' },
    },
    'GET /cars/all/cars': { summary: 'List all cars', description: 'For wholesalers, newest first.' },
    'DELETE /admin/cars/:carId': 'Remove a listing',
    'GET /admin/claims': 'List claims, newest first',
    'POST /admin/claims/:claimId/keep': 'Keep a claimed listing',
  },
  schemas: {
    Dollars: { schema: usd, description: 'US dollars, with at most two decimals.' },
    DollarsOrZero: { schema: usdOrUnset, description: 'US dollars; 0 if nobody has set the amount.' },
    Photo: { schema: photo, fields: { id: 'SHA-256 of the photo; `/photos/ID` are its files.' } },
    CarFacts: { schema: carFacts, description: 'What identifies a vehicle.' },
    CarDetails: { schema: carDetails, description: 'A car, for everybody who can see it.' },
    PublicCar: {
      schema: publicCar,
      description: 'A listing, for everybody with its link.',
      fields: { price },
    },
    Car: {
      schema: car,
      description: 'A listing, for its parties.',
      fields: {
        price:
          'For the seller the asking price, for a buyer the price of their request, in dollars; 0 if there is none.',
        status: 'The status of the request that the row is about; null without one.',
        buyerId: 'The buyer for whom the car is reserved, otherwise the one who asked first.',
      },
    },
    SharedCar: {
      schema: sharedCar,
      description: 'A listing, with more fields for its parties.',
      fields: { price },
    },
    Claim: claim,
    ClaimedCar: claimedCar,
  },
}
