import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Guard } from './guard.ts'
import type { Asked, FileReach, Laboratory } from './laboratory.ts'
import { functionAt, refusalAt } from './marks.ts'
import { cachePath } from './memory.ts'
import { nearnessOf } from './nearby.ts'
import { readSource, root } from './source.ts'
import { usersOf } from './users.ts'

/** Which functions each test calls, by test file. */
export type Reach = Record<string, FileReach & { key: string }>
/** Tests that reach a guard, with how long they take. */
export type Reaching = Asked & { ms: number; near: number }

const path = cachePath('reach.json')
export const readReach = (): Reach => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})

const testFiles = ['contract', 'server']
  .flatMap((home) =>
    readdirSync(join(root, home), { recursive: true, encoding: 'utf8' }).map((name) => `${home}/${name}`),
  )
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
  .sort()

const long =
  /races|embedded|main\.test|two-processes|crash|fuzz|limits\.test|lost-connections|vin-decoder|seed/

/**
 * Runs the test files among those asked for that are new or changed since their map was drawn. It is drawn wholly anew where there is none;
 * one that is older than the product only puts tests in a worse order, or leaves some for the last round.
 */
export async function drawReach(
  open: () => Promise<Laboratory>,
  say: (line: string) => void,
  isAsked: (file: string) => boolean,
): Promise<Reach> {
  const known = readReach()
  const reach: Reach = {}
  const stale: string[] = []
  for (const file of testFiles) {
    const kept = known[file]
    if (kept && (kept.key === keyOf(file) || !isAsked(file))) reach[file] = kept
    else if (isAsked(file)) stale.push(file)
  }
  // What takes longest comes last: interrupted, the map still has most of the tests.
  stale.sort((one, other) => Number(long.test(one)) - Number(long.test(other)))
  if (stale.length === 0) return reach
  say(`${stale.length} test files are run once to see what they reach`)
  const laboratory = await open()
  for (const [index, file] of stale.entries()) {
    const found = await laboratory.reachOf(file)
    const red = found.tests.filter(({ passed }) => !passed)
    reach[file] = { ...found, key: keyOf(file) }
    writeFileSync(path, JSON.stringify(reach))
    const seconds = ((found.ms + sumOf(found.tests)) / 1000).toFixed(1)
    const fault = red.length > 0 ? `, red with every guard in place: ${red.map(({ name }) => name)}` : ''
    say(
      `${String(index + 1).padStart(4)}/${stale.length} ${file} ${found.tests.length} tests, ${seconds} s${fault}`,
    )
  }
  await laboratory.close()
  return reach
}

/** Counted up when what is noted changes. */
const version = '2'
const keyOf = (file: string): string =>
  version +
  createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex')
    .slice(0, 16)

/** The tests that reach a guard, what is near and quick first. */
export function reachingOf(guard: Guard, reach: Reach): Reaching[] {
  const names = namesOf(guard)
  const [home = ''] = guard.path.split('/')
  const isOfContract = home === 'contract'
  const [, subject = null] = /\blimits\.(\w+)/.exec(guard.edits[0]?.was ?? '') ?? []
  const reaching = Object.entries(reach).flatMap(([file, { ms, calls, tests }]): Reaching[] => {
    const near = nearnessOf(guard, file)
    if (names === null) return [{ file, ms: ms + sumOf(tests), near }]
    const whole = { file, ms: ms + sumOf(tests), near }
    // Some of its tests read a table, or a part of a query, itself, which the map does not see.
    if (file.startsWith(`${home}/`) && isMentioned(guard, file)) return [whole]
    const touching = tests.filter((test) => test.passed && test.calls.some((name) => names.has(name)))
    const named = touching.filter(
      ({ name }) => subject !== null && name.replaceAll("'", '').startsWith(`${subject},`),
    )
    if (named.length > 0) return [{ file, tests: named.map(({ id }) => id), ms: ms + sumOf(named), near: 0 }]
    if (touching.length > 0)
      return [{ file, tests: touching.map(({ id }) => id), ms: ms + sumOf(touching), near }]
    // A test of all calls or limits reads them in one list, and names none of them.
    if (isMentioned(guard, file) || (near === 0 && isOfContract)) return [whole]
    // Reached before the tests only: they may still see it.
    return calls.some((name) => names.has(name)) ? [{ ...whole, near: near + 20 }] : []
  })
  return reaching.sort((one, other) => rankOf(one) - rankOf(other))
}

/** Tests read tables without calling anything. */
function isMentioned({ path, within }: Guard, file: string): boolean {
  const text = readFileSync(join(root, file), 'utf8')
  return text.includes(`/${basename(path)}'`) && new RegExp(`\\b${within}\\b`).test(text)
}

/** Ten seconds weigh as much as a step of nearness: a map that was drawn on a busy machine takes everything for slow. */
const rankOf = ({ ms, near }: Reaching): number => Math.min(near, 60) + ms / 10_000

/** Names of functions that run what is removed; null if they cannot be known. */
function namesOf(guard: Guard): Set<string> | null {
  if (guard.sql.length > 0) return null
  return new Set(
    guard.edits.flatMap((edit) => {
      const source = readSource(edit.path)
      // Without a refusal that no test meets everything is as before.
      const refused = guard.kind === 'refusal' ? refusalAt(source, edit.start) : null
      if (refused) return [refused]
      const around = functionAt(source, edit.start)
      // What a declaration at the top holds runs when it is used, and a part of it perhaps once and for all.
      return [...(around ? [around.name] : []), ...usersOf(edit.path, edit.start)]
    }),
  )
}

const sumOf = (tests: readonly { ms: number }[]): number => tests.reduce((sum, { ms }) => sum + ms, 0)
