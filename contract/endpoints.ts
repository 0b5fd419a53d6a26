import * as administrators from './accounts/administrators.ts'
import * as accountMails from './accounts/email-endpoints.ts'
import * as accounts from './accounts/endpoints.ts'
import * as passkeys from './accounts/passkeys.ts'
import * as privacy from './accounts/privacy/endpoints.ts'
import * as suspensions from './accounts/suspensions.ts'
import * as accountTokens from './accounts/tokens.ts'
import * as agreements from './agreements/endpoints.ts'
import * as evidenceLog from './agreements/evidence-log.ts'
import * as paperwork from './agreements/paperwork/endpoints.ts'
import * as verification from './agreements/verification/endpoints.ts'
import * as claims from './cars/claims.ts'
import * as cars from './cars/endpoints.ts'
import * as partner from './dealers/dealer-api.ts'
import * as dealerDesk from './dealers/dealer-desk.ts'
import * as dealers from './dealers/endpoints.ts'
import * as deals from './deals/endpoints.ts'
import * as insights from './deals/insights.ts'
import * as presence from './deals/presence/endpoints.ts'
import * as messages from './messages/endpoints.ts'
import * as notifications from './notifications/endpoints.ts'
import * as switches from './notifications/preferences.ts'
import * as push from './notifications/push.ts'
import type { Endpoint } from './shared/endpoint.ts'
import * as trades from './trades/endpoints.ts'

const isCall = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

/**
 * Every endpoint of every module, for the OpenAPI document, the coverage test and the page
 * fallback.
 */
export const allEndpoints: readonly Endpoint[] = [
  notifications,
  push,
  switches,
  accounts,
  accountMails,
  suspensions,
  privacy,
  passkeys,
  administrators,
  accountTokens,
  cars,
  claims,
  trades,
  deals,
  insights,
  agreements,
  evidenceLog,
  verification,
  paperwork,
  presence,
  messages,
  dealers,
  dealerDesk,
  partner,
].flatMap((endpoints) => Object.values(endpoints).filter(isCall))
