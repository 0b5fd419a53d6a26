/**
 * The general statewide sales tax rate of each state and the District of Columbia, as decimal text,
 * without city and county taxes. A change of a rate must update its date and its source.
 */
export type StateRate = { rate: string; source: string; asOf: string }

const foundation = 'Tax Foundation, State and Local Sales Tax Rates'
const foundationDate = '2025-01-01'
const louisianaAct = 'Louisiana Act 11 (HB 10) of the 2024 Third Extraordinary Session'

/**
 * Rates of the foundation's table. Those of California, Utah and Virginia include the local part
 * that applies statewide.
 */
const fromFoundation = `
  AL 0.04      AK 0         AZ 0.056     AR 0.065     CA 0.0725    CO 0.029     CT 0.0635
  DE 0         FL 0.06      GA 0.04      HI 0.04      ID 0.06      IL 0.0625    IN 0.07
  IA 0.06      KS 0.065     KY 0.06      ME 0.055     MD 0.06      MA 0.0625    MI 0.06
  MN 0.06875   MS 0.07      MO 0.04225   MT 0         NE 0.055     NV 0.0685    NH 0
  NJ 0.06625   NM 0.04875   NY 0.04      NC 0.0475    ND 0.05      OH 0.0575    OK 0.045
  OR 0         PA 0.06      RI 0.07      SC 0.06      SD 0.042     TN 0.07      TX 0.0625
  UT 0.061     VT 0.06      VA 0.053     WA 0.065     WV 0.06      WI 0.05      WY 0.04
`

const foundationRate = ([, state = '', rate = '']: string[]): [string, StateRate] => [
  state,
  { rate, source: foundation, asOf: foundationDate },
]

export const stateRates: ReadonlyMap<string, StateRate> = new Map([
  ...[...fromFoundation.matchAll(/([A-Z]{2}) ([\d.]+)/g)].map(foundationRate),
  ['LA', { rate: '0.05', source: louisianaAct, asOf: '2025-01-01' }],
  [
    // A rise to 7% on 2026-10-01 was enacted at the time of research; whether it took effect could
    // not be determined.
    'DC',
    { rate: '0.06', source: 'District of Columbia, Fiscal Year 2026 Budget Support Act', asOf: '2025-12-15' },
  ],
])
