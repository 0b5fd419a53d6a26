import { expect, test } from 'vitest'
import { splitTrims } from './split-trims.ts'

// R-cars-14
test.each([
  ['R/T', ['R/T']],
  ['EX-L w/ NAVI', ['EX-L w/ NAVI']],
  ['w/o Sunroof', ['w/o Sunroof']],
  ['EX with leather (With RES)', ['EX with leather (With RES)']],
  ['STI Limited+W+KA+RE+BSD+H/K+M/R', ['STI Limited+W+KA+RE+BSD+H/K+M/R']],
  ['Touring ES+Navi(H/K)', ['Touring ES+Navi(H/K)']],
  ['+', ['+']],
])('reads %j as one trim', (text, trims) => {
  expect(splitTrims(text)).toEqual(trims)
})

// R-cars-14
test.each([
  ['EXL/EXL-NAVI/EXL-RES', ['EXL', 'EXL-NAVI', 'EXL-RES']],
  ['LE / LE Camo', ['LE', 'LE Camo']],
  ['SXT or R/T', ['SXT', 'R/T']],
  ['SE/SXT/SRT4/R/T', ['SE', 'SXT', 'SRT4', 'R/T']],
  ['R/T Rallye, R/T', ['R/T Rallye', 'R/T']],
  ['RT/10, GTS Coupe', ['RT/10', 'GTS Coupe']],
  ['S (2WD), 4S (4WD)', ['S (2WD)', '4S (4WD)']],
  [
    'FWBD w/EPS (Special Edition 1/Special Edition 2)/LX',
    ['FWBD w/EPS (Special Edition 1/Special Edition 2)', 'LX'],
  ],
  ['Sport / Sport w/ Premium Pkg, Limited', ['Sport', 'Sport w/ Premium Pkg', 'Limited']],
  ['Hybrid - XLE Plus/XLE Premium//Ltd.', ['Hybrid - XLE Plus', 'XLE Premium', 'Ltd.']],
  ['SE / se/SE', ['SE']],
])('splits %j into several trims', (text, trims) => {
  expect(splitTrims(text)).toEqual(trims)
})

test.each(['', ' ', 'N/A', '/', 'x'.repeat(65)])('returns no trim for %j', (text) => {
  expect(splitTrims(text)).toEqual([])
})
