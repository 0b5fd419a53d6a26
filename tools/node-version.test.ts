import { readFileSync } from 'node:fs'
import { satisfies } from 'semver'
import { expect, test } from 'vitest'
import { nodeError, nodeNotice } from './node-version.mjs'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const { engines } = JSON.parse(read('package.json'))

test.each<[string, 'fails' | 'starts' | 'starts with a notice']>([
  ['18.20.8', 'fails'],
  ['20.18.3', 'fails'],
  ['20.19.0', 'starts'],
  ['20.20.2', 'starts'],
  ['21.7.3', 'fails'],
  ['22.12.0', 'fails'],
  ['22.13.0', 'starts'],
  ['23.11.1', 'fails'],
  ['24.0.0', 'starts'],
  ['24.21.0', 'starts'],
  ['25.9.0', 'starts with a notice'],
  ['26.10.0', 'starts with a notice'],
])('on Node %s: %s', (version, expected) => {
  const [error, notice] = [nodeError(version), nodeNotice(version)]
  expect(error ? 'fails' : notice ? 'starts with a notice' : 'starts').toBe(expected)
  expect(satisfies(version, engines.node)).toBe(error === null)
  for (const line of [error, notice]) expect(line ?? version).toContain(version)
})

// npm only warns when a package does not support the Node that runs it.
test.each(['20.19.0', '22.13.0', '24.0.0'])('has only packages that run on Node %s', (version) => {
  const packages: Record<string, { engines?: { node?: string }; optional?: boolean }> = JSON.parse(
    read('package-lock.json'),
  ).packages
  const unsupported = Object.entries(packages).filter(
    ([, { engines, optional }]) => !optional && engines?.node && !satisfies(version, engines.node),
  )
  expect(unsupported.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([])
})
