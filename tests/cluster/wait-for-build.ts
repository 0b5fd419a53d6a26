import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, vi } from 'vitest'

const build = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../tools/build.mjs'), ...args])

const isBuilt = () =>
  build('--is-built').then(
    () => true,
    () => false,
  )

/**
 * Waits until `dist` is built from the current sources, which happens in parallel in a full run.
 */
export async function waitForBuild(): Promise<void> {
  if (process.env.BUILDS_MEANWHILE)
    await vi.waitFor(async () => expect(await isBuilt()).toBe(true), { timeout: 200_000, interval: 2_000 })
  else if (!(await isBuilt())) await build('--quiet')
}
