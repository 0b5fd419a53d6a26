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

/** Asks one file after the other until a test fails without the guard and passes with it. */
export async function tryGuard(
  laboratory: Laboratory,
  guard: Guard,
  asked: readonly Asked[],
  say: (line: string) => void,
): Promise<Noticed> {
  const also: string[] = []
  for (const one of asked) {
    const { failed, reached } = await laboratory.run(guard, one)
    if (!failed || !reached) continue
    // By itself: what other tests left behind, or the machine, has no part in it.
    const alone = { file: one.file, tests: failed.id ? [failed.id] : one.tests }
    const second = await laboratory.run(guard, alone)
    const [sure, where] = second.failed?.kind === 'test' ? [second.failed, alone] : [failed, one]
    if (!second.failed && failed.kind !== 'test') continue
    if (sure.kind !== 'test') also.push(`${one.file}: ${sure.kind}, ${sure.said.slice(0, 160)}`)
    else if (await isHealthy(laboratory, where, say)) return { by: one.file, test: sure.name, id: sure.id }
  }
  return { by: null, test: null, ...(also.length > 0 && { also }) }
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
