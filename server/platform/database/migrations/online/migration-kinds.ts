import { readdir } from 'node:fs/promises'

/**
 * The time when a migration may run (decision 57), as in `0063-notes.before.sql`. `before`: while
 * older servers run. `after`: deferred until they end. `stop`: startup fails while they run.
 */
export type MigrationKind = 'before' | 'after' | 'stop'

export function migrationKindOf(step: string): MigrationKind {
  const suffix = /\.(before|after)\.sql$/.exec(step)?.[1]
  return suffix === 'before' || suffix === 'after' ? suffix : 'stop'
}

/** A server that knows a migration knows all those with lower numbers. */
export const migrationNumber = (step: string): number => Number.parseInt(step, 10)

export async function listMigrations(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

/** Returns the newest applied, unknown migration that older servers may be incompatible with. */
export const newestIncompatibleMigration = (
  applied: readonly string[],
  known: readonly string[],
): string | undefined =>
  applied
    .filter((name) => !known.includes(name) && migrationKindOf(name) !== 'before')
    .sort()
    .at(-1)
