/** The places that put the rooms together. */
export const assemblers = [
  /^contract\/(calls|refusals)\.ts$/,
  /^server\/(app|main|deps)\.ts$/,
  /^server\/seed\//,
  /^web\/(app|main)\.tsx$/,
  /^web\/administrator\//,
  /^web\/who\/(session|signed-in|settings-screen)\.tsx$/,
]

/** What floors know of the rooms' contract all the same (docs/house.md says why). */
export const knownToFloors = [
  'server/http/who.ts -> contract/accounts/rules.ts',
  'server/outside/tax-rates.ts -> contract/trades/tax.ts',
  'server/outside/tax-rates.ts -> contract/trades/texts.ts',
  'web/who/administrator.ts -> contract/accounts/calls.ts',
  'web/wire/server-events.ts -> contract/notifications/calls.ts',
  'web/wire/server-events.ts -> contract/notifications/rules.ts',
]

/** Who writes what another room owns (docs/house.md says why). */
export const guests = ['server/deals/store.ts -> cars']

/** Tables without a typed view, and whose they are. */
export const ownersWithoutView: Record<string, string> = {
  idempotency_keys: 'server/http',
  jobs: 'server/jobs',
  migrations: 'server/db',
}

/** Hands the environment to `config.ts`. */
export const environmentReaders = ['server/main.ts']
