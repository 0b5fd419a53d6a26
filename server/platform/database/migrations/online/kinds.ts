import { readdir } from 'node:fs/promises'

/**
 * When a step may be taken while older servers run (decision 57). `before`: at once, they do not notice; `after`: when none runs that
 * does not know it; `stop`: the same, and whoever brings it needs it at once. Its file says so: `0063-notes.before.sql`.
 */
export type MigrationKind = 'before' | 'after' | 'stop'

export function migrationKindOf(step: string): MigrationKind {
  const said = /\.(before|after)\.sql$/.exec(step)?.[1]
  return said === 'before' || said === 'after' ? said : 'stop'
}

/** All steps up to this number are known to whoever knows this one. */
export const numberOf = (step: string): number => Number.parseInt(step, 10)

export async function migrationsIn(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

/** Of steps that a database has taken and that are not known here: the newest that may have changed what we write to. */
export const newestIncompatible = (taken: readonly string[], known: readonly string[]): string | undefined =>
  taken
    .filter((name) => !known.includes(name) && migrationKindOf(name) !== 'before')
    .sort()
    .at(-1)
