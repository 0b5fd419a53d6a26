import { type Dealer, type DealerForm, formatArea, parseAreas } from '@keyturn/contract/dealers/endpoints.ts'
import { dealersTexts as texts } from '@keyturn/contract/dealers/texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { splitSecrets } from '@keyturn/contract/shared/webhooks.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../platform/database/new-id.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import type { Administrator } from '../../platform/http/authorization.ts'
import { recordAdminEvent } from '../accounts/administrator/admin-events.ts'
import { emailOperator } from '../accounts/administrator/email-operator.ts'
import { type DealerRow, toDealerConnection } from './dealer-connection.ts'
import { encryptKeys } from './dealer-keys.ts'
import * as store from './dealer-repository.ts'
import { dealerChangedEmail } from './emails.ts'

export const listDealers = async (deps: Deps): Promise<Dealer[]> =>
  (await store.findDealers(deps.db, {})).map((row) => toDealer(deps, row))

export async function addDealer(deps: Deps, administrator: Administrator, form: DealerForm): Promise<Dealer> {
  requireValidForm(deps, form, 0)
  const id = newId()
  return transaction(deps.db, async (tx) => {
    await store.insertDealer(tx, { id, ...columnsOf(deps, form) })
    await store.saveAreas(tx, id, parseAreas(form.areas))
    const added = await readDealer(deps, tx, id)
    await recordChange(deps, tx, administrator, null, added)
    return added
  })
}

/**
 * Edits a dealer. Its existing deals stay with it, even when it accepts no new ones. For the
 * default dealer, only the areas are stored.
 */
export async function editDealer(
  deps: Deps,
  administrator: Administrator,
  id: string,
  form: DealerForm & { version?: number | undefined },
): Promise<Dealer> {
  return transaction(deps.db, async (tx) => {
    const [row] = await store.lockDealer(tx, { id })
    if (!row) throw apiErrors.NotFound()
    if (form.version !== undefined && form.version !== row.version)
      throw apiErrors.StaleVersion({ current: await readDealer(deps, tx, id) })
    if (!row.isDefault) requireValidForm(deps, form, toDealerConnection(deps.config, row).keys.length)
    const before = await readDealer(deps, tx, id)
    await store.saveDealer(tx, id, row.isDefault ? {} : columnsOf(deps, form))
    await store.saveAreas(tx, id, parseAreas(form.areas))
    const after = await readDealer(deps, tx, id)
    await recordChange(deps, tx, administrator, before, after)
    return after
  })
}

/** A dealer gets every deal of its area, so the operator's address hears of each change (R-accounts-59). */
async function recordChange(
  deps: Deps,
  tx: Db,
  administrator: Administrator,
  before: Dealer | null,
  after: Dealer,
): Promise<void> {
  await recordAdminEvent(tx, administrator, {
    act: before ? 'editedDealer' : 'addedDealer',
    subject: after._id,
    before: before && valuesOf(before),
    after: valuesOf(after),
  })
  await emailOperator(
    deps,
    tx,
    dealerChangedEmail(deps.config, administrator.username, after.name, before === null),
  )
}

/** Dealers are businesses, so their addresses may stay in the audit log; keys never do. */
const valuesOf = ({ name, areas, webhookUrl, keys, email, active }: Dealer) => ({
  name,
  areas: areas.join(', ').slice(0, 300),
  webhookUrl: webhookUrl?.slice(0, 300) ?? null,
  keys,
  email,
  active,
})

function requireValidForm({ config }: Deps, form: DealerForm, storedKeys: number): void {
  if (form.webhookUrl === '') return
  if (!form.webhookUrl.startsWith('https:') && !config.privateWebhooks)
    throw fieldError('webhookUrl', texts.faults.needsHttps)
  if (form.webhookSecrets === '' && storedKeys === 0)
    throw fieldError('webhookSecrets', texts.faults.needsKey)
}

const fieldError = (path: string, message: string) =>
  apiErrors.ValidationError({ message, fields: [{ path, message }] })

const columnsOf = ({ config }: Deps, form: DealerForm) => ({
  name: form.name,
  webhookUrl: form.webhookUrl || null,
  email: form.email || null,
  phone: form.phone || null,
  hours: form.hours || null,
  active: form.active,
  ...(form.webhookSecrets !== '' && { secrets: encryptKeys(config, splitSecrets(form.webhookSecrets)) }),
})

async function readDealer(deps: Deps, db: Db, id: string): Promise<Dealer> {
  const found = (await store.findDealers(db, {})).find(({ dealer }) => dealer.id === id)
  if (!found) throw apiErrors.NotFound()
  return toDealer(deps, found)
}

function toDealer({ config }: Deps, { dealer: row, areas, parked }: store.ListedDealer): Dealer {
  const { name, webhookUrl, keys, email } = toDealerConnection(config, row)
  return {
    _id: row.id,
    name,
    areas: areas.map(formatArea),
    webhookUrl,
    keys: keys.length,
    email,
    ...contactOf(row, config.dealer),
    active: row.active,
    isDefault: row.isDefault,
    parked,
    version: row.version,
  }
}

type Contact = { phone: string | null; hours: string | null }
const contactOf = (row: DealerRow, configured: Contact): Contact => {
  const { phone, hours } = row.isDefault ? configured : row
  return { phone, hours }
}
