import { expect, test } from 'vitest'
import { checkDealerStep, type DealerStepName, dealerSteps, possibleDealerSteps } from '../deals/rules.ts'
import { dealerForZip, formatArea, parseArea, type ZipArea } from './endpoints.ts'

test.each([
  ['941', { first: 94100, last: 94199 }, '941'],
  ['0', { first: 0, last: 9999 }, '0'],
  ['94107', { first: 94107, last: 94107 }, '94107'],
  ['94000-95999', { first: 94000, last: 95999 }, '94000-95999'],
  ['94000-94999', { first: 94000, last: 94999 }, '94'],
  ['94100-94999', { first: 94100, last: 94999 }, '94100-94999'],
  ['00500 - 00599', { first: 500, last: 599 }, '005'],
  ['00000-99999', { first: 0, last: 99999 }, '00000-99999'],
])('parses the area %s and formats it as briefly as possible', (text, area, shortest) => {
  expect(parseArea(text)).toEqual(area)
  expect(formatArea(area)).toBe(shortest)
  expect(parseArea(formatArea(area))).toEqual(area)
})

test.each(['', 'CA', '941-942', '95999-94000', '941077', '94107-', '-94107', '9410 7'])(
  'returns null for the area “%s”',
  (text) => expect(parseArea(text)).toBe(null),
)

const dealer = (name: string, ...areas: string[]) => ({
  name,
  areas: areas.map((text) => parseArea(text) as ZipArea),
  active: true,
  isDefault: false,
})
const fallback = { ...dealer('default'), isDefault: true }

// R-deals-73
test.each([
  ['the dealer with a matching area', '94107', [dealer('north', '97'), dealer('bay', '94')], 'bay'],
  ['the longest prefix', '94107', [dealer('state', '9'), dealer('city', '941'), dealer('bay', '94')], 'city'],
  ['the narrower range', '94107', [dealer('bay', '94'), dealer('port', '94100-94149')], 'port'],
  ['the nearest area, below or above', '93999', [dealer('south', '90'), dealer('bay', '94')], 'bay'],
  ['the nearest of a dealer’s areas', '60001', [dealer('bay', '94', '605'), dealer('lake', '599')], 'lake'],
  ['the older one among equals', '94107', [dealer('first', '94'), dealer('second', '94')], 'first'],
  [
    'active dealers only',
    '94107',
    [{ ...dealer('bay', '94'), active: false }, dealer('north', '97')],
    'north',
  ],
  ['the default dealer without a ZIP code', null, [dealer('bay', '94')], 'default'],
  ['the default dealer when no dealer has an area', '94107', [dealer('bay')], 'default'],
])('assigns a deal to %s', (_, zip, dealers, name) => {
  expect(dealerForZip([fallback, ...dealers], zip)?.name).toBe(name)
})

const afterAcceptance = dealerSteps.filter((step) => step !== 'accepted')
const without = (...steps: DealerStepName[]) => afterAcceptance.filter((step) => !steps.includes(step))
/** The allowed steps after each step, restated by hand. */
const openSteps: [reported: DealerStepName[], open: DealerStepName[]][] = [
  [[], ['accepted', 'complete', 'cancelled']],
  [['accepted'], afterAcceptance],
  [['accepted', 'needsDocument', 'appointment'], afterAcceptance],
  [['accepted', 'paidSeller'], without('paidSeller', 'cancelled')],
  [['accepted', 'titleReceived'], without('titleReceived', 'cancelled')],
  [['accepted', 'complete'], without('needsDocument', 'appointment', 'complete', 'cancelled')],
  [['complete'], []],
  [['accepted', 'paidSeller', 'titleReceived', 'complete'], []],
  [['cancelled'], []],
  [['accepted', 'cancelled'], []],
]

// R-deals-75
test.each(openSteps)('after %j, lets a dealer report only %j', (reported, open) => {
  expect(possibleDealerSteps(reported)).toEqual(open)
  for (const step of dealerSteps.filter((one) => !open.includes(one)))
    expect(checkDealerStep(step, reported)).toBe(
      reported.includes(step) && !isRepeated(step) ? 'done' : 'out of order',
    )
})

const isRepeated = (step: DealerStepName) => step === 'needsDocument' || step === 'appointment'
