import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './source.ts'
import type { Noticed } from './trial.ts'

/** Each guard's result in the last run; it only makes the next run faster and may be deleted. */
export type Memory = Record<string, Noticed>

const path = join(root, 'node_modules/.cache/keyturn/guards.json')

export const readMemory = (): Memory => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})

export function keepMemory(memory: Memory): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(memory))
}
