import type { BodyType } from '../../cars/rules.ts'
import type { PaperKind } from './rules.ts'

/** Drafts for the appointment. None states that anything has happened; unknown facts stay blank. */
export const paperworkTexts = {
  title: 'Paperwork',
  lead: (dealer: string) =>
    `Drafts with the facts of your agreement filled in, to print and to check. ${dealer} brings its own papers and they count, not these.`,
  download: 'Download',
  downloadOf: (paper: string) => `Download: ${paper}`,
  preparing: 'Preparing…',
  failed: 'The paper could not be downloaded. Please try again.',
  kinds: {
    'bill-of-sale': { name: 'Bill of sale', what: 'Who sells which car, to whom and for how much.' },
    odometer: { name: 'Odometer disclosure', what: 'A worksheet for the mileage that goes onto the title.' },
    release: { name: 'Release of liability', what: 'What you tell your state once the car is gone.' },
    appointment: { name: 'What to bring', what: 'A list for the day, for both of you.' },
  } satisfies Record<PaperKind, { name: string; what: string }>,
  fileName: (kind: PaperKind, vin: string) => `${kind}-${vin}.pdf`,
  draft: 'DRAFT',
  draftLine: 'A draft, not a legal document and not legal advice. Check every line before anybody signs.',
  page: (number: number, of: number) => `Page ${number} of ${of}`,
  agreement: 'Agreement',
  checkedAt: (day: string) => `read ${day}`,
  sources: 'Where this comes from',
  car: 'The car',
  facts: {
    year: 'Year',
    make: 'Make',
    model: 'Model',
    body: 'Body type',
    vin: 'VIN',
    color: 'Color',
    plate: 'License plate',
  },
  bodies: {
    sedan: 'Sedan',
    coupe: 'Coupe',
    hatchback: 'Hatchback',
    wagon: 'Wagon',
    suv: 'SUV',
    pickup: 'Pickup',
    van: 'Van',
    convertible: 'Convertible',
  } satisfies Record<BodyType, string>,
  party: { name: 'Name', address: 'Address', date: 'Date', printed: 'Printed name' },
  billOfSale: {
    lead: (seller: string, dealer: string) =>
      `${seller} sells the car below to ${dealer}. ${dealer} then sells it to the buyer with papers of its own.`,
    seller: 'Seller',
    purchaser: 'Purchaser',
    price: 'Price and date',
    agreedPrice: 'Agreed price',
    saleDate: 'Date of sale',
    reading: 'Odometer reading',
    agreedFor: (buyer: string) => `The price is the one that the seller and ${buyer} have signed for.`,
    tradeIns: (list: string, dealer: string) =>
      `In trade from the buyer: ${list}. That is between the buyer and ${dealer}.`,
    loan: 'The seller still owes money on this car. The lender is paid off first, and the title passes after that.',
    condition: 'Condition',
    asIs: 'What is promised about the condition of the car, if anything, is written here by whoever promises it:',
    state: (name: string) => `In ${name}`,
    stateUnknown: 'In your state',
    sign: 'Signatures',
    sellerSigns: 'Signature of the seller',
    purchaserSigns: 'Signature for the purchaser',
  },
  odometer: {
    lead: 'Federal law wants the mileage disclosed in writing when a car changes hands. It is done on the title itself: this sheet only helps to fill that in.',
    exempt: (year: number, modelYear: number) =>
      `A ${modelYear} car that changes hands in ${year} is exempt from the federal rule. A state may still ask for the mileage, and the title has a line for it.`,
    required: (year: number, modelYear: number) =>
      `A ${modelYear} car that changes hands in ${year} is not exempt: the mileage has to be disclosed.`,
    warning: 'A false statement, or none where one is due, may be punished with a fine or imprisonment.',
    reading: 'The reading',
    now: 'Reading in miles, no tenths',
    listed: (miles: string) =>
      `The listing said ${miles}. Read the odometer again on the day: that reading counts.`,
    choose:
      'Check one of these only if it is so. If neither is checked, the reading is the actual mileage to the best of the seller’s knowledge.',
    beyond: 'The reading is beyond the mechanical limits of the odometer.',
    notActual: 'The reading is NOT the actual mileage. WARNING: ODOMETER DISCREPANCY.',
    transferor: 'Seller (transferor)',
    transferee: 'Purchaser (transferee)',
    transferDate: 'Date of transfer',
    sellerSigns: 'Signature of the transferor',
    purchaserSigns: 'Signature of the transferee',
  },
  release: {
    lead: (agency: string) =>
      `For the seller. Once the car is handed over, tell ${agency}, so that tickets, tolls and accidents after that day are not yours.`,
    leadUnknown:
      'For the seller. Once the car is handed over, tell the motor vehicle agency of your state, so that tickets, tolls and accidents after that day are not yours.',
    noState: 'There is no ZIP code in the listing, so this page says what holds in most states.',
    otherState: (code: string) =>
      `The ZIP code of the listing is in ${code}. We have no rules of that state here, so this page says what holds in most states.`,
    steps: 'What to do',
    withYou: 'What you will be asked for',
    asked: [
      'The VIN and the license plate',
      'The day the car was handed over',
      'The odometer reading on that day',
      'The name and address of the purchaser',
      'The price',
    ],
    keep: 'Keep the confirmation together with the agreement. End the insurance only after the car is handed over and the state has been told.',
    purchaserIs: (dealer: string) =>
      `The purchaser is ${dealer}, not the buyer you know: ${dealer} buys the car from you and resells it.`,
  },
  appointment: {
    lead: (dealer: string) => `For the day with ${dealer}. Check off what is ready.`,
    leadPhone: (dealer: string, phone: string, hours: string | null) =>
      `For the day with ${dealer}: ${phone}${hours === null ? '' : ` (${hours})`}. Check off what is ready.`,
    when: 'Day and time',
    where: 'Place',
    seller: 'The seller brings',
    buyer: 'The buyer brings',
    sellerItems: [
      'A photo ID',
      'Every key',
      'The registration',
      'Something to take the plates off with, if they stay with you',
    ],
    titleInHand: 'The title, not signed yet',
    loan: [
      'The name of the lender and the number of the loan account',
      'A payoff quote for the day, if the lender gives one',
    ],
    buyerItems: ['A photo ID', 'Proof of insurance for this car'],
    payment: (amount: string) =>
      `The means to pay: ${amount} is left after the trade-in, before taxes and fees`,
    paymentWhole: (amount: string) => `The means to pay ${amount}, before taxes and fees`,
    financing: (dealer: string) => `What ${dealer} asks for with the credit application: find out beforehand`,
    trade: (car: string) => `The trade-in ${car}: the car, its title, its registration and every key`,
    tradeLoan: 'If money is still owed on it: the name of the lender and the number of the loan account',
    both: 'Before anybody signs',
    checks: [
      'The VIN on the car is the VIN on the title and on every paper',
      'The price is the agreed one',
      'It is settled when and how the seller is paid',
      'Each of you takes home a copy of everything you signed',
    ],
  },
} as const
