import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/**
 * Loads fontkit with the first font: every server process imports the check of names, and few names
 * need another typeface than ours.
 */
export const createFont: typeof import('fontkit')['create'] = (...file) =>
  (load('fontkit') as typeof import('fontkit')).create(...file)
