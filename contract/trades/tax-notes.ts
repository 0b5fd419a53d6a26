import type { RuleSource } from '../shared/law/rule-source.ts'

/** `sentence`: what the state does, where that differs from the estimate (R-trades-40). */
export type TaxNote = { state: string; sentence: string; source: RuleSource }

const read = '2026-11-27'

/** The places whose law differs from the specified formula, by two letters. */
export const taxNotes: readonly TaxNote[] = [
  {
    state: 'AL',
    sentence: 'Alabama taxes vehicles at 2%, not at its general 4%, on the price less the trade-in.',
    source: {
      name: 'Alabama Department of Revenue, Tax Rates (see also Ala. Code 40-23-2(4))',
      url: 'https://revenue.alabama.gov/sales-use/tax-rates',
      read,
    },
  },
  {
    state: 'DC',
    sentence:
      'Washington, D.C. charges an excise tax on the car’s fair market value instead of sales tax, and its formula has no trade-in.',
    source: {
      name: 'DC DMV, Vehicle Title and Excise Tax Fees (see also D.C. Code 50-2201.03(j))',
      url: 'https://dmv.dc.gov/node/155502',
      read,
      edition: 2021,
    },
  },
  {
    state: 'GA',
    sentence:
      'Georgia charges a title ad valorem tax of 7% instead of sales tax, on the value less what you trade in to a dealer.',
    source: {
      name: 'Georgia Department of Revenue, TAVT FAQ (see also O.C.G.A. 48-5C-1)',
      url: 'https://dor.georgia.gov/node/25891',
      read,
    },
  },
  {
    state: 'HI',
    sentence:
      'Hawaii taxes the dealer’s price less the trade-in allowance, so a trade-in there can save tax.',
    source: {
      name: 'Hawaii Department of Taxation, General Excise Tax Instructions (see also HRS 237-3(b))',
      url: 'https://files.hawaii.gov/tax/forms/2019/geins.pdf',
      read: null,
      edition: 2019,
    },
  },
  {
    state: 'IA',
    sentence:
      'Iowa charges a 5% fee for new registration instead of sales tax, on the price less the trade-in.',
    source: {
      name: 'Iowa Code 321.105A(2), copy at Justia (see also Iowa Admin. Code 701-250.3)',
      url: 'https://law.justia.com/codes/iowa/2018/title-viii/chapter-321/section-321.105a/index.html',
      read,
      edition: 2018,
    },
  },
  {
    state: 'MD',
    sentence:
      'Maryland charges an excise tax on titles instead of sales tax, on the price less the trade-in, so a trade-in there can save tax.',
    source: {
      name: 'Md. Code, Transportation 13-809(a)(3), copy at PocketLaw',
      url: 'https://getpocketlaw.com/law/state_maryland/section-13-809-imposition-of-tax_c27b7b22a7be',
      read,
    },
  },
  {
    state: 'MI',
    sentence:
      'Michigan counts up to $12,000 of one trade-in for cars delivered in 2026; the limit grows by $1,000 each January and ends in 2029.',
    source: {
      name: 'Michigan Treasury, RAB 2022-17 (see also MCL 205.51)',
      url: 'https://michigan.gov/taxes/rep-legal/rab/2022-revenue-administrative-bulletins/revenue-administrative-bulletin-2022-17',
      read,
      edition: 2022,
    },
  },
  {
    state: 'MS',
    sentence:
      'Mississippi taxes cars and light trucks at 5%, not at its general 7%, on the price less the trade-in.',
    source: {
      name: 'Lamar County Tax Collector (see also Miss. Code 27-65-17)',
      url: 'https://lamarcountyms.gov/ms/ufaq/how-much-sales-tax-do-i-pay-when-i-buy-a-vehicle',
      read,
    },
  },
  {
    state: 'NC',
    sentence:
      'North Carolina charges a 3% highway-use tax instead of sales tax, on the price less the trade-in.',
    source: {
      name: 'N.C. Gen. Stat. 105-187.3',
      url: 'https://www3.ncleg.gov/EnactedLegislation/Statutes/HTML/BySection/Chapter_105/GS_105-187.3.html',
      read,
    },
  },
  {
    state: 'NM',
    sentence:
      'New Mexico charges a 4% motor vehicle excise tax instead of gross receipts tax, on the price less the trade-in.',
    source: {
      name: 'N.M. Stat. 7-14-4, copy at Justia',
      url: 'https://law.justia.com/codes/new-mexico/2019/chapter-7/article-14/section-7-14-4/',
      read,
      edition: 2019,
    },
  },
  {
    state: 'OH',
    sentence:
      'Ohio takes a trade-in off the taxed price of a new vehicle only, so a used car bought there earns no credit.',
    source: {
      name: 'Ohio Department of Taxation, Motor Vehicle Taxability, with ORC 5739.01(H)',
      url: 'https://tax.ohio.gov/wps/portal/gov/tax/help-center/faqs/vehicle-taxability-compliance-dealers/motor-vehicle-taxability-dealers',
      read,
    },
  },
  {
    state: 'SC',
    sentence:
      'South Carolina charges an infrastructure maintenance fee instead of sales tax: 5%, at most $500, so a trade-in saves $500 at most.',
    source: {
      name: 'S.C. Code 56-3-627(B), copy at Justia',
      url: 'https://law.justia.com/codes/south-carolina/2021/title-56/chapter-3/section-56-3-627/',
      read,
      edition: 2021,
    },
  },
]

/** `state`: two letters; null for an unknown ZIP code. */
export const taxNoteOf = (state: string | null): TaxNote | null =>
  taxNotes.find((note) => note.state === state) ?? null
