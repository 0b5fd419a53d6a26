import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const web = resolve(import.meta.dirname, '../..')

// R-everywhere-63
test('tints only the side toggles and the stage rail', () => {
  const tinted = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.css') && !path.includes('node_modules'))
    .filter((path) => readFileSync(join(web, path), 'utf8').includes('var(--kt-side'))
  expect(tinted.sort()).toEqual([
    'components/navigation/side-toggle.module.css',
    'features/deals/stage-stepper.module.css',
    'features/public-pages/segments.module.css',
  ])
})
