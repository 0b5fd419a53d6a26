import { execFile, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { openHouse } from './house.ts'

test.each<[string, () => unknown]>([
  ['connects to a database', () => connect(5432)],
  ['connects to a database', () => connect({ host: 'localhost', port: 5432 })],
  ['connects to a database', () => connect('/tmp/somewhere/.s.PGSQL.5432')],
  ['starts a process', () => spawn('true')],
  ['starts a process', () => execFile('true')],
  ['starts a thread', () => new Worker('', { eval: true })],
])('a pure test that %s fails', (what, leave) => {
  expect(leave).toThrow(`A pure test ${what}.`)
})

test('a pure test has no server', async () => {
  await expect(openHouse()).rejects.toThrow('A pure test connects to a database.')
})
