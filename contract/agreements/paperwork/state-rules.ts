import type { RuleSource } from '../../shared/law/rule-source.ts'

// Requirements of the seller's state, from its agency's website. Every document names the page and
// the day it was read.

export type StateRule = {
  /** Two letters. */
  code: string
  name: string
  agency: string
  title: string
  /** How the agency is notified of the sale. */
  release: string
  plates: string
  /** The dealer takes the plates off, so that the seller needs no tool. */
  dealerRemovesPlates?: boolean
  billOfSale: string
  /** Further documents that the state requires, if any. */
  more: readonly string[]
  sources: readonly RuleSource[]
}

/** Five of the largest markets. `defaultStateRule` covers all other states. */
export const stateRules: readonly StateRule[] = [
  {
    code: 'CA',
    name: 'California',
    agency: 'the California Department of Motor Vehicles (DMV)',
    title:
      'Every registered owner signs the California Certificate of Title where it asks for the signature of the registered owner. If the names on it are joined by “and”, all of them sign.',
    release:
      'File a Notice of Transfer and Release of Liability (REG 138) with the DMV within 5 calendar days, online or by mail. Keep the confirmation or a copy.',
    plates:
      'Ask the DMV which plates stay on the car and which you may keep: it depends on the type of plate.',
    billOfSale:
      'The title shows the price and the date. A signed bill of sale is a record for your own files.',
    more: [],
    sources: [
      {
        name: 'California DMV, Notice of Transfer and Release of Liability',
        url: 'https://www.dmv.ca.gov/portal/handbook/vehicle-industry-registration-procedures-manual-2/transfers/notice-of-transfer-and-release-of-liability-nrl-irl-reg-138/',
        read: '2026-11-22',
      },
    ],
  },
  {
    code: 'TX',
    name: 'Texas',
    agency: 'the Texas Department of Motor Vehicles (TxDMV)',
    title:
      'Sign and date the back of the Texas title, with the odometer reading. A title application (Form 130-U) goes with it; a dealer who resells the car files it.',
    release:
      'File a Vehicle Transfer Notification with TxDMV within 30 days of the sale. It matters here: the car can stay in your name until the dealer has resold it.',
    plates:
      'Leave the plates on: the dealer who buys the car has to take them off (Transp. Code 504.901(a), since July 1, 2025). If you buy a car there and its class allows it, they move to that car.',
    dealerRemovesPlates: true,
    billOfSale: 'Keep a written record of the sale: who bought the car, the day, and the VIN.',
    more: [],
    sources: [
      {
        name: 'TxDMV, Buying or Selling a Vehicle',
        url: 'https://www.txdmv.gov/motorists/buying-or-selling-a-vehicle',
        read: '2026-11-22',
      },
      {
        name: 'Tex. Transp. Code 504.901(a), as amended by SB 1902 of 2025',
        url: 'https://capitol.texas.gov/tlodocs/89R/billtext/html/SB01902F.HTM',
        read: '2026-11-27',
      },
    ],
  },
  {
    code: 'FL',
    name: 'Florida',
    agency: 'the Florida Department of Highway Safety and Motor Vehicles (FLHSMV)',
    title:
      'Fill in and sign the “Transfer of Title by Seller” part of the title, with the odometer reading. If the title is held electronically, you and the purchaser go to a motor vehicle service center together, each with a photo ID, and reassign it there.',
    release:
      'File a Notice of Sale (form HSMV 82050) with a motor vehicle service center within 30 days. Your registration is then removed from this car.',
    plates:
      'Take the license plate off: it stays with you, not with the car. Move it to another vehicle, or turn it in before you end the insurance.',
    billOfSale:
      'Form HSMV 82050 is both the notice and a bill of sale, once seller and purchaser have signed it.',
    more: [],
    sources: [
      {
        name: 'FLHSMV, Selling a Vehicle',
        url: 'https://www.flhsmv.gov/safety-center/consumer-education/selling-vehicle-florida/',
        read: '2026-11-22',
      },
      {
        name: 'Orange County Tax Collector, Vehicle Sales & Purchases',
        url: 'https://octaxcol.com/motor-vehicles/vehicle-sales-purchases/',
        read: '2026-11-22',
      },
    ],
  },
  {
    code: 'NY',
    name: 'New York',
    agency: 'the New York State Department of Motor Vehicles (DMV)',
    title:
      'Fill in and sign the transfer section on the back of the Certificate of Title, with its odometer and damage statements. A title with anything crossed out is not accepted.',
    release:
      'Turn in your plates, or move them to another vehicle of yours, and keep the receipt. That is how the DMV learns that you no longer drive this car.',
    plates:
      'Take the plates and the registration sticker off before the car leaves. Turn plates in before the insurance ends, or the registration can be suspended.',
    billOfSale:
      'Seller and purchaser sign a Vehicle Bill of Sale (MV-912). The draft here has the same facts.',
    more: ['The damage statement on the back of the title, for a car of any age'],
    sources: [
      {
        name: 'New York State DMV, Buy, Sell or Transfer Vehicle Ownership',
        url: 'https://dmv.ny.gov/titles/buy-sell-or-transfer-vehicle-ownership',
        read: '2026-11-22',
      },
      {
        name: 'New York State DMV, Acceptable Proofs of Ownership',
        url: 'https://dmv.ny.gov/titles/acceptable-proofs-of-ownership-for-vehicles',
        read: '2026-11-27',
      },
    ],
  },
  {
    code: 'PA',
    name: 'Pennsylvania',
    agency: 'the Pennsylvania Department of Transportation (PennDOT)',
    title:
      'Sign the title in front of a notary or an authorized PennDOT agent, and not before: the seller’s signature has to be notarized or verified. The agent wants to see a photo ID.',
    release:
      'Once the title is signed over in front of the agent, the application goes to PennDOT. Keep a copy of the signed title as your proof of the date.',
    plates: 'Before the car leaves, ask the agent what to do with the plate.',
    billOfSale:
      'The title shows the price and the date. A signed bill of sale is a record for your own files.',
    more: [],
    sources: [
      {
        name: 'PennDOT, Selling a Vehicle',
        url: 'https://www.dmv.pa.gov/VEHICLE-SERVICES/Vehicle-Information/Pages/Selling.aspx',
        read: '2026-11-22',
      },
    ],
  },
]

/** For every other state and an unknown ZIP code: no form and no deadline, only what to ask. */
export const defaultStateRule: Omit<StateRule, 'code' | 'name'> = {
  agency: 'the motor vehicle agency of your state',
  title: 'Sign the title over at the appointment, and not before. Ask first whether it must be notarized.',
  release:
    'Tell the motor vehicle agency of your state that the car is sold. Many states call this a release of liability or a notice of sale. Ask which form the agency wants and by when; some give only a few days.',
  plates: 'Ask whether the plates stay with you or with the car. It differs from state to state.',
  billOfSale: 'Some states have a form of their own. Ask before you sign this draft.',
  more: [],
  sources: [],
}

/** Titles issued in these places are signed in front of a notary, as New York's agency lists them. */
export const notaryPlaces: ReadonlyMap<string, string> = new Map([
  ['AK', 'Alaska'],
  ['AZ', 'Arizona'],
  ['HI', 'Hawaii'],
  ['KY', 'Kentucky'],
  ['LA', 'Louisiana'],
  ['MS', 'Mississippi'],
  ['MT', 'Montana'],
  ['NV', 'Nevada'],
  ['NC', 'North Carolina'],
  ['OH', 'Ohio'],
  ['OK', 'Oklahoma'],
  ['PA', 'Pennsylvania'],
  ['WA', 'Washington'],
  ['WY', 'Wyoming'],
  ['PR', 'Puerto Rico'],
])

export const notarySource: RuleSource = {
  name: 'New York State DMV, titles whose transfer must be notarized',
  url: 'https://dmv.ny.gov/titles/acceptable-proofs-of-ownership-for-vehicles',
  read: '2026-11-27',
}

export const buyersGuideSource: RuleSource = {
  name: '16 CFR 455.3, Buyers Guide, copy at checkoutapi.com',
  url: 'https://checkoutapi.com/regulations/title16_chapterI_part455_section455.3',
  read: '2026-11-27',
}

/** For a title that a lender holds. */
export const lenderTitleSource: RuleSource = {
  name: '49 CFR 580.13, secure power of attorney, as NHTSA explains it',
  url: 'https://www.nhtsa.gov/node/62061',
  read: '2026-11-27',
}

/** Sources for the current federal rule. */
export const odometerSources: readonly RuleSource[] = [
  {
    name: '49 CFR 580.5, what is disclosed',
    url: 'https://www.ecfr.gov/current/title-49/section-580.5',
    read: '2026-11-22',
  },
  {
    name: '49 CFR 580.17, which vehicles are exempt, copy at lawstack.com',
    url: 'https://law.lawstack.com/cfr/49/580.17/',
    read: '2026-11-27',
  },
]

/** Every source of the paperwork, for the check of their age. */
export const paperworkSources: readonly RuleSource[] = [
  ...stateRules.flatMap(({ sources }) => sources),
  ...odometerSources,
  ...[notarySource, buyersGuideSource, lenderTitleSource],
]
