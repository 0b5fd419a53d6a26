import { expect, test } from 'vitest'
import { telHref } from './phone-link.tsx'

// R-accounts-9
test.each([
  ['202-555-0142', 'tel:2025550142'],
  ['+1 (202) 555.0142', 'tel:+12025550142'],
  ['202/555-0142 x22', 'tel:2025550142,22'],
  ['2025550142 ext 22', 'tel:2025550142,22'],
  ['2025550142ext.22', 'tel:2025550142,22'],
  ['2025550142 #22', 'tel:2025550142,22'],
])('links %s to %s', (number, address) => {
  expect(telHref(number)).toBe(address)
})
