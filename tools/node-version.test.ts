import { readFileSync } from 'node:fs'
import { satisfies } from 'semver'
import { expect, test } from 'vitest'
import { nodeNotice, nodeRefusal } from './node-version.mjs'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const { engines } = JSON.parse(read('package.json'))

test.each<[string, 'refused' | 'starts' | 'starts with a notice']>([
  ['18.20.8', 'refused'],
  ['20.18.3', 'refused'],
  ['20.19.0', 'starts'],
  ['20.20.2', 'starts'],
  ['21.7.3', 'refused'],
  ['22.12.0', 'refused'],
  ['22.13.0', 'starts'],
  ['23.11.1', 'refused'],
  ['24.0.0', 'starts'],
  ['24.21.0', 'starts'],
  ['25.9.0', 'starts with a notice'],
  ['26.10.0', 'starts with a notice'],
])('Node %s: %s', (version, expected) => {
  const [refusal, notice] = [nodeRefusal(version), nodeNotice(version)]
  expect(refusal ? 'refused' : notice ? 'starts with a notice' : 'starts').toBe(expected)
  expect(satisfies(version, engines.node)).toBe(refusal === null)
  for (const line of [refusal, notice]) expect(line ?? version).toContain(version)
})

// npm silently installs an older version when the newest does not support the Node that runs it.
test.each(['20.19.0', '22.13.0', '24.0.0'])('every package that is installed runs on Node %s', (version) => {
  const packages: Record<string, { engines?: { node?: string }; optional?: boolean }> = JSON.parse(
    read('package-lock.json'),
  ).packages
  const unfit = Object.entries(packages).filter(
    ([, { engines, optional }]) => !optional && engines?.node && !satisfies(version, engines.node),
  )
  expect(unfit.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([])
})
