import { expect, test } from 'vitest'
import { balancePages } from './pdf-pages.ts'

const pagesOf = (...heights: number[]) =>
  balancePages(
    heights.map((height) => ({ height })),
    100,
  ).map((page) => page.map(({ height }) => height))

test('keeps blocks that fit on a single page on one page', () => {
  expect(pagesOf(30, 30, 30)).toEqual([[30, 30, 30]])
})

test('fills pages evenly instead of leaving two lines on the last one', () => {
  expect(pagesOf(20, 20, 20, 20, 20, 5)).toEqual([
    [20, 20, 20],
    [20, 20, 5],
  ])
  expect(pagesOf(50, 40, 10, 45, 50, 5)).toEqual([
    [50, 40, 10],
    [45, 50, 5],
  ])
})

test('gives a block taller than a page its own page, and keeps all blocks in order', () => {
  expect(pagesOf(10, 250, 10)).toEqual([[10], [250], [10]])
})
