import { parseArgs } from 'node:util'
import { exceptions } from './exceptions.ts'
import { type Guard, numbered } from './guard.ts'
import { databaseGuards } from './kinds/database.ts'
import { type Asked, type Laboratory, openLaboratory } from './laboratory.ts'
import { guardsOfSources, triedOf } from './list.ts'
import { keepMemory, readMemory } from './memory.ts'
import { drawReach, type Reach, type Reaching, reachingOf, readReach } from './reach.ts'
import { type Noticed, tryGuard } from './trial.ts'
import { noticedByTypes } from './types.ts'

// `npm run guards`: removes each guard in turn, runs the tests that should notice, and reports what none noticed.

const { values: asked } = parseArgs({
  options: {
    /** Only guards of these kinds. */
    kind: { type: 'string', multiple: true },
    /** Only guards with this in their name. */
    only: { type: 'string', multiple: true },
    /** Run only these test files, also to see what they reach. */
    asking: { type: 'string', multiple: true },
    /** How many guards to try in parallel. */
    workers: { type: 'string', default: '2' },
    /** Only run the test files that are new or changed, to see what they reach. */
    reach: { type: 'boolean', default: false },
    /** Only guards not noticed yet, whether the last run was interrupted or not. */
    resume: { type: 'boolean', default: false },
    /** Leave tests out that the map does not have yet. */
    known: { type: 'boolean', default: false },
    /** Run only the nearest and quickest tests: guards noticed only by others are reported too. */
    near: { type: 'boolean', default: false },
    /** Only list the guards. */
    list: { type: 'boolean', default: false },
  },
})

const compiler = 'tsc'

/** Tests of this length per guard run first for all guards, the rest only for what is still unnoticed. */
const firstMs = 30_000

const say = (line: string) => process.stdout.write(`${line}\n`)
const began = performance.now()
const memory = readMemory()
const first = await openLaboratory()
const all = numbered([...guardsOfSources(), ...(await databaseGuards(first.query))])
const wanted = triedOf(all).filter(isWanted)
const open = wanted.filter(({ id }) => !(asked.resume && memory[id]?.by))
say(
  `${all.length} guards, ${exceptions.length} with a reason why nothing need notice; ${open.length} to take away`,
)

if (asked.list) for (const { id } of open) say(id)
else if (asked.reach) await drawReach(() => openLaboratory({ noting: true }), say, isAsked)
else await tryAll()
await first.close()

async function tryAll() {
  const typed = noticedByTypes(open)
  for (const guard of open)
    if (typed.has(guard.id)) remember(guard, { by: compiler, test: typed.get(guard.id) ?? null })
  say(`${typed.size} do not compile without their guard: the tests are asked about the others`)
  const reach = asked.known
    ? readReach()
    : await drawReach(() => openLaboratory({ noting: true }), say, isAsked)
  const more = Array.from({ length: Math.max(0, Number(asked.workers) - 1) }, () => openLaboratory())
  const laboratories = [first, ...(await Promise.all(more))]
  const untyped = open.filter(({ id }) => !typed.has(id))
  let left = await tryEach(laboratories, untyped, (guard) => split(guard, reach)[0])
  if (left.length > 0 && !asked.near) {
    say(`${left.length} were not noticed by the nearest tests: the others are asked`)
    left = await tryEach(laboratories, left, (guard) => split(guard, reach)[1])
  }
  await Promise.all(laboratories.slice(1).map((laboratory) => laboratory.close()))
  report(left)
}

/** Returns the guards that no test noticed. */
async function tryEach(
  laboratories: readonly Laboratory[],
  guards: readonly Guard[],
  some: (guard: Guard) => readonly Asked[],
): Promise<Guard[]> {
  const queue = [...guards]
  const left: Guard[] = []
  let done = 0
  const work = async (laboratory: Laboratory) => {
    for (let guard = queue.shift(); guard; guard = queue.shift()) {
      const from = performance.now()
      const asking = some(guard)
      const noticed = await tryGuard(laboratory, guard, asking, say)
      const also = [...new Set([...(memory[guard.id]?.also ?? []), ...(noticed.also ?? [])])]
      remember(guard, noticed.by === null && also.length > 0 ? { ...noticed, also } : noticed)
      if (noticed.by === null) left.push(guard)
      done++
      const seconds = ((performance.now() - from) / 1000).toFixed(1)
      const by = noticed.by ? `noticed by ${noticed.by}: ${noticed.test}` : 'NOT NOTICED'
      say(
        `${String(done).padStart(4)}/${guards.length} ${guard.id}\n          ${seconds} s, ${by}${noticed.by ? '' : `, ${asking.length} files asked`}`,
      )
      for (const line of noticed.also ?? []) say(`          ${line}`)
    }
  }
  await Promise.all(laboratories.map(work))
  return left
}

/** What to ask about a guard at once, and what only if that notices nothing. */
function split(guard: Guard, reach: Reach): [first: Asked[], rest: Asked[]] {
  const reaching = reachingOf(guard, reach).filter(({ file }) => isAsked(file))
  let spent = 0
  const isFirst = ({ ms }: Reaching, index: number) => {
    spent += ms
    return index === 0 || spent <= firstMs
  }
  const near = reaching.filter(isFirst)
  // The test that noticed last time comes first.
  const { by, id } = memory[guard.id] ?? {}
  const last = by && id && isAsked(by) ? [{ file: by, tests: [id] }] : []
  return [[...last, ...near], reaching.filter((one) => !near.includes(one))]
}

function isAsked(file: string): boolean {
  return !asked.asking || asked.asking.some((text) => file.includes(text))
}

function remember(guard: Guard, noticed: Noticed): void {
  memory[guard.id] = noticed
  keepMemory(memory)
}

function report(left: readonly Guard[]): void {
  for (const kind of new Set(open.map((guard) => guard.kind))) {
    const count = (guards: readonly Guard[]) => guards.filter((guard) => guard.kind === kind).length
    say(`${kind.padEnd(12)} ${String(count(open)).padStart(4)} taken away, ${count(left)} not noticed`)
  }
  for (const { id, path, line } of left) {
    say(`not noticed: ${path}:${line}  ${id}`)
    for (const text of memory[id]?.also ?? []) say(`             proves nothing: ${text}`)
  }
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  say(`${open.length} guards taken away, ${left.length} not noticed, ${minutes} minutes`)
  process.exitCode = left.length > 0 ? 1 : 0
}

function isWanted({ kind, id }: Guard): boolean {
  return (
    (!asked.kind || asked.kind.includes(kind)) &&
    (!asked.only || asked.only.some((text) => id.includes(text)))
  )
}
