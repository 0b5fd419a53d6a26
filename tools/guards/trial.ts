import type { Guard } from './guard.ts'
import type { Asked, Laboratory } from './laboratory.ts'

/** The test that noticed, with its file and vitest's id for it; all null if none did. */
export type Noticed = {
  by: string | null
  test: string | null
  id?: string | null
  /** What else went wrong without the guard, but proves nothing: a time-out, or a file that could not begin. */
  also?: string[]
}

const mostHung = 3

/** Asks one file after the other until a test fails without the guard and passes with it. */
export async function tryGuard(
  laboratory: Laboratory,
  guard: Guard,
  asked: readonly Asked[],
  say: (line: string) => void,
): Promise<Noticed> {
  const also: string[] = []
  let hung = 0
  for (const one of asked) {
    const { failed, reached } = await laboratory.run(guard, one)
    if (!failed || !reached) continue
    if (failed.kind === 'time') {
      also.push(`${one.file}: ${failed.name}: ${failed.said.slice(0, 160)}`)
      // Whatever waits for what the guard did hangs again: others may end sooner, but not many.
      if (++hung === mostHung) break
      continue
    }
    // By itself: what other tests left behind, or the machine, has no part in it.
    const alone = { file: one.file, tests: failed.id ? [failed.id] : one.tests }
    const again = await failsAgain(laboratory, guard, [alone, one])
    if (again && (await isHealthy(laboratory, again.asked, say)))
      return { by: one.file, test: again.name, id: again.id }
    also.push(`${one.file}: ${failed.name}: ${failed.said.slice(0, 160)}`)
  }
  return { by: null, test: null, ...(also.length > 0 && { also }) }
}

/** The first of these that a test fails in once more, for a reason of its own. */
async function failsAgain(laboratory: Laboratory, guard: Guard, ways: readonly Asked[]) {
  for (const asked of ways) {
    const { failed } = await laboratory.run(guard, asked)
    if (failed?.kind === 'test') return { ...failed, asked }
  }
  return null
}

/** A test that fails even with every guard in place proves nothing. */
const healthy = new Map<string, Promise<boolean>>()

function isHealthy(laboratory: Laboratory, asked: Asked, say: (line: string) => void): Promise<boolean> {
  const key = `${asked.file} ${asked.tests}`
  const known = healthy.get(key) ?? look(laboratory, asked, say)
  healthy.set(key, known)
  return known
}

async function look(laboratory: Laboratory, asked: Asked, say: (line: string) => void): Promise<boolean> {
  const { failed } = await laboratory.run(null, asked)
  if (failed) say(`${asked.file} is red with every guard in its place: ${failed.name}: ${failed.said}`)
  return failed === null
}
