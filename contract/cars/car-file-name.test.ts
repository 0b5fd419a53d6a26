import { expect, test } from 'vitest'
import { carFileName } from './car-file-name.ts'

// R-cars-34
test.each([
  [{ year: 2003, make: 'Honda', carModel: 'Accord' }, '2003-honda-accord-qr.png'],
  [{ year: 2015, make: 'Citroën', carModel: 'C4 / Picasso' }, '2015-citroen-c4-picasso-qr.png'],
  [{ year: 1999, make: '三菱', carModel: 'パジェロ' }, '1999-qr.png'],
  [{ year: 2003, make: '"; x=/../', carModel: 'W'.repeat(200) }, `2003-x-${'w'.repeat(53)}-qr.png`],
])('names a file after its car, in ASCII: %o', (car, name) => {
  expect(carFileName(car, 'qr.png')).toBe(name)
})
