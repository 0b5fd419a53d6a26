import * as accounts from './accounts/calls.ts'
import * as accountMails from './accounts/mails.ts'
import * as cars from './cars/calls.ts'
import * as deals from './deals/calls.ts'
import * as dealConsent from './deals/consent.ts'
import * as dealerDesk from './deals/dealers/dealer-desk.ts'
import * as dealers from './deals/dealers/dealers.ts'
import * as partner from './deals/dealers/partner.ts'
import * as dealLog from './deals/evidence-log.ts'
import * as messages from './deals/messages/calls.ts'
import * as paperwork from './deals/paperwork/calls.ts'
import * as presence from './deals/presence/calls.ts'
import * as dealSeal from './deals/seal.ts'
import * as verification from './deals/verification/calls.ts'
import type { Call } from './kit/call.ts'
import * as notifications from './notifications/calls.ts'
import * as push from './notifications/push.ts'
import * as switches from './notifications/switches.ts'
import * as trades from './trades/calls.ts'

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

/** Every call of every room: read by the OpenAPI document, the coverage test and the page fallback. */
export const allCalls: readonly Call[] = [
  notifications,
  push,
  switches,
  accounts,
  accountMails,
  cars,
  trades,
  deals,
  dealConsent,
  dealLog,
  verification,
  paperwork,
  presence,
  messages,
  dealSeal,
  dealers,
  dealerDesk,
  partner,
].flatMap((room) => Object.values(room).filter(isCall))
