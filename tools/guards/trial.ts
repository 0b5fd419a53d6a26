import type { Guard } from './guard.ts'
import type { Laboratory } from './laboratory.ts'

/** The test file and the test that noticed; both null if none did. */
export type Noticed = { by: string | null; test: string | null }

/** A file that fails even with every guard in place proves nothing. */
const healthy = new Map<string, Promise<boolean>>()

/** Runs one test file after the other until one fails without the guard and passes with it. */
export async function tryGuard(
  laboratory: Laboratory,
  guard: Guard,
  files: readonly string[],
  say: (line: string) => void,
): Promise<Noticed> {
  for (const file of new Set(files)) {
    const { noticedBy, reached } = await laboratory.run(guard, file)
    if (noticedBy && reached && (await isHealthy(laboratory, file, say))) return { by: file, test: noticedBy }
  }
  return { by: null, test: null }
}

function isHealthy(laboratory: Laboratory, file: string, say: (line: string) => void): Promise<boolean> {
  const known = healthy.get(file) ?? look(laboratory, file, say)
  healthy.set(file, known)
  return known
}

async function look(laboratory: Laboratory, file: string, say: (line: string) => void): Promise<boolean> {
  const { noticedBy } = await laboratory.run(null, file)
  if (noticedBy) say(`${file} is red with every guard in its place, and is not asked: ${noticedBy}`)
  return noticedBy === null
}
