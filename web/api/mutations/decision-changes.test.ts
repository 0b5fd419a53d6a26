import { ApiError } from '@keyturn/contract/shared/error.ts'
import { MantineProvider } from '@mantine/core'
import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DecisionChanges } from './decision-changes.tsx'

const error = new ApiError('StaleVersion', 409, 'Refused.')
const stale = { isStale: true, changes: [{ label: 'Price', before: '$1', after: '$2' }], goOn: () => {} }

test('shows nothing when nothing prevents the decision', () => {
  expect(render({ decision: { ...stale, isStale: false, error: null } })).toBe('')
})

// R-deals-28
test('shows the old and the new values of changes by others, with a button to continue, instead of an error', () => {
  const news = render({ decision: { ...stale, error } })
  expect(news).toContain('It has changed.')
  expect(news).toContain('<strong>Price</strong>: $1 → $2')
  expect(news).toContain('Go on')
  expect(news).not.toContain('Refused.')
})

test('shows a failed load before changes, and the end of the decision before everything else', () => {
  const failed = { error: new ApiError('Offline', 0, 'Not read.'), refetch: () => {} } as never
  expect(render({ decision: { ...stale, error }, failed })).toMatch(/Not read\.(?!.*It has changed)/)
  const over = render({ decision: { ...stale, error }, failed, over: 'It is gone.' })
  expect(over).toContain('It is gone.')
  expect(over).not.toMatch(/Not read|changed|Refused|Go on/)
})

test('shows an error when nothing is stale, unless other content replaces it, even if empty', () => {
  const decision = { ...stale, isStale: false, error }
  expect(render({ decision })).toContain('Refused.')
  expect(render({ decision, error: null })).toBe('')
  expect(render({ decision, children: null })).toBe('')
  expect(render({ decision, children: 'Your password, please.' })).toBe('Your password, please.')
})

function render(props: Omit<ComponentProps<typeof DecisionChanges>, 'changed' | 'goOn'>): string {
  const news = createElement(DecisionChanges, { changed: 'It has changed.', goOn: 'Go on', ...props })
  return renderToStaticMarkup(
    createElement(MantineProvider, { withCssVariables: false, withGlobalClasses: false, env: 'test' }, news),
  ).replace(/<style.*?<\/style>/gs, '')
}
