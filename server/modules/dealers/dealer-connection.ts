import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { decryptKeys } from './dealer-keys.ts'
import { deliveriesUrl } from './desk/desk.ts'
import type { dealers } from './tables.ts'

export type DealerRow = typeof dealers.$inferSelect
export type DealerConnection = {
  name: string
  webhookUrl: string | null
  keys: string[]
  email: string | null
}

/** The default dealer's data comes from the settings, every other dealer's from its row. */
export function toDealerConnection(config: Config, row: DealerRow): DealerConnection {
  const { dealer } = config
  if (row.isDefault)
    return {
      name: dealer.name,
      webhookUrl: dealer.webhookUrl,
      keys: dealer.webhookSecrets,
      email: dealer.email,
    }
  const keys = row.secrets === null ? [] : decryptKeys(config, row.secrets)
  return { name: row.name ?? '', webhookUrl: row.webhookUrl, keys, email: row.email }
}

type DeskDeps = Pick<Deps, 'config' | 'desk'>

/** The built-in desk serves a default dealer without a system of its own. */
export const isBuiltInDesk = ({ config, desk }: DeskDeps, row: DealerRow): boolean =>
  row.isDefault && config.dealer.webhookUrl === null && desk !== undefined

/** Null when the dealer has no system or the built-in desk is not listening yet. */
export const deliveryUrl = (deps: DeskDeps, row: DealerRow): string | null =>
  deps.desk && isBuiltInDesk(deps, row)
    ? deliveriesUrl(deps.desk)
    : toDealerConnection(deps.config, row).webhookUrl
