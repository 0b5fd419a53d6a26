import { StartupError } from '../../../startup/startup-error.ts'
import { migrationNumber } from './migration-kinds.ts'

// The baseline replaced migrations 0001 to 0066. A database at 0066 adopts it in one step; an older
// one is rejected.

const baseline = '0067-baseline.sql'
const lastReplaced = '0066-taking-a-key.before.sql'

/** In 0066 these had SQL-standard bodies, which keep PostgreSQL from altering the `deals` table. */
const functions = ['is_taken', 'is_standing', 'hold_is_over', 'has_car', 'takes_messages', 'counted_state']

/** Removes the migrations that the baseline replaced. Throws a `StartupError` before 0066. */
export function dropReplacedMigrations(applied: readonly string[]): string[] {
  const remaining = applied.filter((name) => migrationNumber(name) >= migrationNumber(baseline))
  if (remaining.length < applied.length && !wasCreatedBeforeBaseline(applied))
    throw new StartupError(
      `This database is at migration ${[...applied].sort().at(-1)}, which is too old. Start Keyturn 0.1.0 on it once, then this version.`,
    )
  return remaining
}

/** Checks whether the migrations that the baseline replaced created these tables. */
export const wasCreatedBeforeBaseline = (applied: readonly string[]): boolean =>
  applied.includes(lastReplaced)

/** The migration after the baseline; its first statement rejects formats used in development. */
export const formatsMigration = '0068-evidence-formats.after.sql'

/**
 * Returns SQL that brings a database at 0066 to the baseline, given its SQL as `text`. The check of
 * the next migration, `formats`, runs first, so a rejected database stays unchanged.
 */
export function adoptionSql(text: string, formats: string): string {
  const [check] = formats.match(/^do \$\$[^$]*\$\$;/m) ?? []
  if (!check) throw new Error(`${formatsMigration} has no check`)
  const bodies = functions.map((name) => {
    const [body] = text.match(new RegExp(`^create function ${name}\\([^$]*\\$\\$[^$]*\\$\\$;`, 'm')) ?? []
    if (!body) throw new Error(`${baseline} has no function ${name}`)
    return body.replace('create', 'create or replace')
  })
  return [
    check,
    ...bodies,
    // Migration 0064 drops it too, but may have been deferred.
    'drop index if exists notifications_for_wholesalers;',
    // 0.1.0 decoded some VINs as another model.
    'truncate vin_answers;',
    'delete from migrations;',
  ].join('\n')
}
