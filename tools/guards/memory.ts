import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './source.ts'
import type { Noticed } from './trial.ts'

/** Each guard's result in the last run; it only makes the next run faster and may be deleted. */
export type Memory = Record<string, Noticed>

/** Outside of what git keeps. */
export function cachePath(name: string): string {
  const folder = join(root, 'node_modules/.cache/keyturn')
  mkdirSync(folder, { recursive: true })
  return join(folder, name)
}

const path = cachePath('guards.json')

export const readMemory = (): Memory => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})

export const keepMemory = (memory: Memory): void => writeFileSync(path, JSON.stringify(memory))
