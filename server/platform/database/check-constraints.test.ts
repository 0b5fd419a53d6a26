import { parties, userTypes } from '@keyturn/contract/accounts/rules.ts'
import { paperSizes } from '@keyturn/contract/agreements/endpoints.ts'
import { dealParties, dealStatuses } from '@keyturn/contract/deals/rules.ts'
import { channels, notificationKinds } from '@keyturn/contract/notifications/notification-kinds.ts'
import { notificationTypes } from '@keyturn/contract/notifications/rules.ts'
import { tradeEventNames, tradeMoveActors, tradeStatuses } from '@keyturn/contract/trades/rules.ts'
import { expect, test } from 'vitest'
import { startTestServer } from '../../../tests/support/test-server.ts'

const server = await startTestServer()

const words: Record<string, readonly string[]> = {
  users_user_type_check: userTypes,
  switched_off_kind_check: notificationKinds,
  switched_off_channel_check: channels,
  notifications_type_check: notificationTypes,
  trades_status_check: tradeStatuses,
  trade_events_event_check: tradeEventNames,
  trade_events_actor_check: tradeMoveActors,
  deals_status_check: dealStatuses,
  agreement_pdfs_size_check: paperSizes,
  agreement_links_party_check: parties,
  deal_events_actor_check: dealParties,
}

// R-everywhere-23
test.each(Object.entries(words))(
  'allows in %s exactly the values that the contract defines',
  async (name, known) => {
    const [rule] = await server.query<{ text: string }>(
      'select pg_get_constraintdef(oid) as text from pg_constraint where conname = $1',
      [name],
    )
    const taken = [...(rule?.text ?? '').matchAll(/'(\w+)'::text/g)].map(([, word]) => word)
    expect(taken.sort()).toEqual([...known].sort())
  },
)
