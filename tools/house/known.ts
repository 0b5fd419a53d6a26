/** Files that put the rooms together. They stand above everything else: nobody but another one of them imports them. */
export const assemblers = [
  /^contract\/(calls|refusals)\.ts$/,
  /^server\/(app|main|verify-agreements|backup|restore)\.ts$/,
  /^server\/seed\//,
  /^web\/(app|main)\.tsx$/,
  /^web\/ssr\/(render|forms|examples)\.tsx?$/,
  /^web\/ssr\/script\/(forms|calls-first|drive-page|verify)\.ts$/,
  /^web\/administrator\//,
  /^web\/who\/(signed-in|settings-screen)\.tsx$/,
]

/** Parts of the rooms' contract that floors may import (docs/house.md says why). */
export const knownToFloors = [
  'server/dealer-desk/calling-home.ts -> contract/deals/texts.ts',
  'server/dealer-desk/dealing.ts -> contract/cars/rules.ts',
  'server/dealer-desk/dealing.ts -> contract/deals/calls.ts',
  'server/dealer-desk/dealing.ts -> contract/deals/dealers/dealer-desk.ts',
  'server/dealer-desk/dealing.ts -> contract/deals/dealers/partner.ts',
  'server/dealer-desk/dealing.ts -> contract/deals/rules.ts',
  'server/dealer-desk/desk.ts -> contract/deals/dealers/dealer-desk.ts',
  'server/dealer-desk/desk-store.ts -> contract/deals/dealers/dealer-desk.ts',
  'server/dealer-desk/desk-store.ts -> contract/deals/rules.ts',
  'server/dealer-desk/routes.ts -> contract/deals/dealers/dealer-desk.ts',
  'server/dealer-desk/tables.ts -> contract/deals/rules.ts',
  'server/http/who.ts -> contract/accounts/rules.ts',
  'server/outside/tax-rates.ts -> contract/trades/tax.ts',
  'server/outside/tax-rates.ts -> contract/trades/texts.ts',
  'web/installed/push-handlers.ts -> contract/notifications/push.ts',
  'web/who/administrator.ts -> contract/accounts/calls.ts',
  'web/who/ask-for-user.ts -> contract/accounts/calls.ts',
  'web/who/going-on.ts -> contract/accounts/calls.ts',
  'web/who/session.tsx -> contract/accounts/calls.ts',
  'web/who/visitor.ts -> contract/accounts/calls.ts',
  'web/wire/event-line.ts -> contract/notifications/calls.ts',
  'web/wire/event-line.ts -> contract/notifications/rules.ts',
  'web/wire/server-events.ts -> contract/notifications/rules.ts',
  'web/wire/shared-line.ts -> contract/notifications/rules.ts',
]

/** Who writes what another room owns (docs/house.md says why). */
export const guests = ['server/deals/car-store.ts -> cars']

/** Tables that no `tables.ts` declares, with the room that owns them. */
export const ownersWithoutView: Record<string, string> = {
  idempotency_keys: 'server/http',
  jobs: 'server/jobs',
  migrations: 'server/db',
  outgoing_stops: 'server/jobs',
  server_keys: 'server/start',
}

/** Reads a bare answer, of which a refusal is no fault. */
export const knownStatusReaders = ['web/who/administrator.ts']

/** Pass the environment to `config.ts`. */
export const environmentReaders = [
  'server/main.ts',
  'server/verify-agreements.ts',
  'server/backup.ts',
  'server/restore.ts',
]

/** Loads what the build made of the other side, by an address that no source has. */
export const loadersOfTheBuild = [
  'server/pages/renderer.ts: import(bundle.href)',
  'server/pages/renderer.ts: import(forms.href)',
]
