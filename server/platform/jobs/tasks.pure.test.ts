import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const server = new URL('../../', import.meta.url)

/** Returns the distinct first groups of a pattern's matches in the server's sources. */
function found(pattern: RegExp): string[] {
  const sources = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|node_modules|^dist/.test(path))
    .map((path) => readFileSync(new URL(path.replaceAll('\\', '/'), server), 'utf8'))
  return [...new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name)))]
}

test('has a task for every kind of job that is added', () => {
  const added = found(/\baddJobs?\(\s*[\w.]+,\s*(\w+Job),/g)
  expect(added.length).toBeGreaterThan(3)
  const done = found(/\[(\w+)\]:/g)
  expect(added.filter((job) => !done.includes(job))).toEqual([])
})
