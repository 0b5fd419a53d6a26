import { expect, test } from 'vitest'
import { balanced } from './pdf-pages.ts'

const pagesOf = (...heights: number[]) =>
  balanced(
    heights.map((height) => ({ height })),
    100,
  ).map((page) => page.map(({ height }) => height))

test('what fits on one page stands on one page', () => {
  expect(pagesOf(30, 30, 30)).toEqual([[30, 30, 30]])
})

test('no page is left with two lines behind a full one: pages are filled about alike', () => {
  expect(pagesOf(20, 20, 20, 20, 20, 5)).toEqual([
    [20, 20, 20],
    [20, 20, 5],
  ])
  expect(pagesOf(50, 40, 10, 45, 50, 5)).toEqual([
    [50, 40, 10],
    [45, 50, 5],
  ])
})

test('a block taller than a page stands alone, and nothing is left out or moved', () => {
  expect(pagesOf(10, 250, 10)).toEqual([[10], [250], [10]])
})
