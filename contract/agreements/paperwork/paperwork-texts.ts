import type { CarBody } from '../../shared/car-illustrations.ts'
import type { PaperworkKind } from './rules.ts'

/** Drafts for the appointment. None states that anything has happened; unknown facts stay blank. */
export const paperworkTexts = {
  title: 'Paperwork',
  lead: (dealer: string) =>
    `Drafts filled in from your agreement, to print and check. ${dealer} brings its own documents, and those are the ones that count.`,
  download: 'Download',
  downloadOf: (paper: string) => `Download: ${paper}`,
  preparing: 'Preparing…',
  failed: 'The document could not be downloaded. Please try again.',
  kinds: {
    'bill-of-sale': { name: 'Bill of sale', what: 'Who sells which car, to whom and for how much.' },
    odometer: { name: 'Odometer disclosure', what: 'A worksheet for the mileage that goes on the title.' },
    release: { name: 'Release of liability', what: 'What you tell your state once the car is gone.' },
    appointment: { name: 'What to bring', what: 'A list for the day, for both of you.' },
  } satisfies Record<PaperworkKind, { name: string; what: string }>,
  fileName: (kind: PaperworkKind, vin: string) => `${kind}-${vin}.pdf`,
  draft: 'DRAFT',
  draftLine: 'A draft, not a legal document and not legal advice. Check every line before anyone signs.',
  page: (number: number, of: number) => `Page ${number} of ${of}`,
  agreement: 'Agreement',
  source: (name: string, url: string) => `${name}: ${url}`,
  sources: 'Where this comes from. Check before use.',
  lenderHoldsTitle: (car: 'car' | 'trade-in', dealer: string) =>
    `If the lender holds the title of the ${car}, ask ${dealer} for the state’s secure power of attorney. Where the state allows it, the mileage is disclosed on that form (49 CFR 580.13).`,
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
    crossover: 'Crossover',
    pickup: 'Pickup',
    van: 'Van',
    minivan: 'Minivan',
    convertible: 'Convertible',
  } satisfies Record<CarBody, string>,
  party: { name: 'Name', address: 'Address', date: 'Date', printed: 'Printed name' },
  billOfSale: {
    lead: (seller: string, dealer: string) =>
      `${seller} sells the car below to ${dealer}. ${dealer} then sells it to the buyer with its own documents.`,
    seller: 'Seller',
    purchaser: 'Purchaser',
    price: 'Price and date',
    agreedPrice: 'Agreed price',
    saleDate: 'Date of sale',
    reading: 'Odometer reading',
    agreedFor: (buyer: string) => `This is the price in the agreement that the seller and ${buyer} signed.`,
    tradeIns: (list: string, dealer: string) =>
      `The buyer trades in: ${list}. That is between the buyer and ${dealer}.`,
    loan: 'The seller still owes money on this car. The lender is paid off first, and the title passes after that.',
    condition: 'Condition',
    asIs: 'Promises about the condition of the car, if any, written here by the person who makes them:',
    state: (name: string) => `In ${name}`,
    stateUnknown: 'In your state',
    sign: 'Signatures',
    sellerSigns: 'Signature of the seller',
    purchaserSigns: 'Signature for the purchaser',
  },
  odometer: {
    lead: 'Federal law requires written disclosure of the mileage when a car changes hands. The disclosure is made on the title itself; this sheet only helps you fill it in.',
    exempt: (year: number, modelYear: number) =>
      `A ${modelYear} car that changes hands in ${year} is exempt from the federal rule. A state may still require the mileage, and the title has a line for it.`,
    required: (year: number, modelYear: number) =>
      `A ${modelYear} car that changes hands in ${year} is not exempt: the mileage must be disclosed.`,
    heavy:
      'A vehicle with a gross vehicle weight rating of more than 16,000 pounds is exempt. The rating is on the label in the driver’s door frame.',
    warning:
      'Failing to complete the disclosure, or making a false statement, may result in fines or imprisonment.',
    reading: 'The reading',
    now: 'Reading in miles, no tenths',
    listed: (miles: string) =>
      `The listing said ${miles}. Read the odometer again on the day of sale: that reading counts.`,
    choose:
      'Check one of these only if it applies. If neither is checked, the reading is the actual mileage to the best of the seller’s knowledge.',
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
      `For the seller. Once the car is handed over, tell ${agency}, so that you are not responsible for tickets, tolls or accidents after the handover.`,
    leadUnknown:
      'For the seller. Once the car is handed over, tell the motor vehicle agency of your state, so that you are not responsible for tickets, tolls or accidents after the handover.',
    noState: 'The listing has no ZIP code, so this page describes what applies in most states.',
    otherState: (code: string) =>
      `The listing’s ZIP code is in ${code}. We have no rules for that state, so this page describes what applies in most states.`,
    notarized: (state: string) => `A title from ${state} must be notarized.`,
    steps: 'What to do',
    withYou: 'What you will be asked for',
    asked: [
      'The VIN and the license plate',
      'The day the car was handed over',
      'The odometer reading on that day',
      'The name and address of the purchaser',
      'The price',
    ],
    keep: 'Keep the confirmation with the agreement. Cancel the insurance only after the car is handed over and the state has been notified.',
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
    sellerItems: ['A photo ID', 'Every key', 'The registration'],
    platesTool: 'A tool to remove the plates, if you keep them',
    titleInHand: 'The title, not signed yet',
    loan: [
      'The lender’s name and the loan account number',
      'A payoff quote for the day, if the lender gives one',
    ],
    buyerItems: ['A photo ID', 'Proof of insurance for this car'],
    payment: (amount: string) =>
      `A way to pay ${amount}, which is left after the trade-in, before taxes and fees`,
    paymentAndLoan: (amount: string) =>
      `A way to pay ${amount}, which is left after the trade-in, before taxes, fees and the loan on a trade-in`,
    paymentCovered: 'A way to pay taxes and fees: the trade-in covers the price',
    paymentCoveredAndLoan:
      'A way to pay taxes, fees and the loan on a trade-in: the trade-in covers the price',
    paymentWhole: (amount: string) => `A way to pay ${amount}, before taxes and fees`,
    financing: (dealer: string) => `Whatever ${dealer} requires for the credit application: ask beforehand`,
    trade: (car: string) => `The trade-in (${car}): the car, its title, its registration and every key`,
    tradeWithLoan: (car: string) =>
      `The trade-in (${car}): the car, its registration and every key, and the lender’s name and the loan account number`,
    buyerGets: 'The buyer gets from the dealer',
    buyersGuide:
      'The Buyers Guide of this car, which says whether it has a warranty. For most cars and light trucks, the dealer has to give it to the buyer, and it is part of the contract (16 CFR 455). Maine and Wisconsin have rules of their own.',
    notary: (places: string) =>
      `Check which state issued the title. Titles from these places must be notarized: ${places}.`,
    both: 'Before anyone signs',
    checks: [
      'The VIN on the car matches the title and every document',
      'The price is the agreed price',
      'You have settled when and how the seller is paid',
      'Each of you takes home a copy of everything you signed',
    ],
  },
} as const
