import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { houseOf } from './house/house.ts'
import { outdated, rules } from './house/rules.ts'
import { readTree } from './house/sources.ts'

const root = resolve(import.meta.dirname, '..')
const house = houseOf(readTree(root))

test('there is something to check', () => {
  expect(house.sources.length).toBeGreaterThan(300)
  expect(house.imports.length).toBeGreaterThan(1500)
})

test.each(rules.map((rule) => ({ ...rule })))('rule $number: $promise', ({ breaches }) => {
  expect(breaches(house)).toEqual([])
})

test('an exception that is no longer needed is not on the list', () => {
  expect(outdated(house)).toEqual([])
})

test('every numbered rule of docs/house.md is checked, and no other', () => {
  const page = readFileSync(join(root, 'docs/house.md'), 'utf8')
  const [, section = ''] = page.split('## Who may import whom')
  const written = [...(section.split('\n## ')[0] ?? '').matchAll(/^(\d+)\. /gm)].map(([, number]) => number)
  const checked = new Set(rules.map(({ number }) => number).filter((number) => /^\d+$/.test(number)))
  expect([...checked]).toEqual(written)
})
