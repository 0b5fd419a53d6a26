import { expect, test } from 'vitest'
import { findStaleScreens } from './landing-sources.ts'

// R-everywhere-42
test('shows the screens of the landing page as they are now', () => {
  const commands = findStaleScreens().map((screen) => `npm run screenshots -- --landing --only ${screen}`)
  expect(commands, 'These pictures are out of date. Take them again:').toEqual([])
})
