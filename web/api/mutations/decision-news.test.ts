import { ApiError } from '@keyturn/contract/shared/error.ts'
import { MantineProvider } from '@mantine/core'
import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DecisionNews } from './decision-news.tsx'

const refusal = new ApiError('StaleVersion', 409, 'Refused.')
const stale = { isStale: true, changes: [{ label: 'Price', before: '$1', after: '$2' }], goOn: () => {} }

test('shows nothing when nothing prevents the decision', () => {
  expect(said({ of: { ...stale, isStale: false, refusal: null } })).toBe('')
})

// R-deals-28
test('shows changes by others old and new with a button to go on, instead of an error', () => {
  const news = said({ of: { ...stale, refusal } })
  expect(news).toContain('It has changed.')
  expect(news).toContain('<strong>Price</strong>: It was $1, it is now $2.')
  expect(news).toContain('Go on')
  expect(news).not.toContain('Refused.')
})

test('shows a failed load before changes, and the end of the decision before everything', () => {
  const failed = { error: new ApiError('Offline', 0, 'Not read.'), refetch: () => {} } as never
  expect(said({ of: { ...stale, refusal }, failed })).toMatch(/Not read\.(?!.*It has changed)/)
  const over = said({ of: { ...stale, refusal }, failed, over: 'It is gone.' })
  expect(over).toContain('It is gone.')
  expect(over).not.toMatch(/Not read|changed|Refused|Go on/)
})

test('shows an error when nothing is stale, unless other content, even empty, replaces it', () => {
  const of = { ...stale, isStale: false, refusal }
  expect(said({ of })).toContain('Refused.')
  expect(said({ of, refusal: null })).toBe('')
  expect(said({ of, children: null })).toBe('')
  expect(said({ of, children: 'Your password, please.' })).toBe('Your password, please.')
})

function said(props: Omit<ComponentProps<typeof DecisionNews>, 'changed' | 'goOn'>): string {
  const news = createElement(DecisionNews, { changed: 'It has changed.', goOn: 'Go on', ...props })
  return renderToStaticMarkup(
    createElement(MantineProvider, { withCssVariables: false, withGlobalClasses: false, env: 'test' }, news),
  ).replace(/<style.*?<\/style>/gs, '')
}
