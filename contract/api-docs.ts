import { accountsApiDocs } from './accounts/api-docs.ts'
import { agreementsApiDocs } from './agreements/api-docs.ts'
import { carsApiDocs } from './cars/api-docs.ts'
import { dealersApiDocs } from './dealers/api-docs.ts'
import { dealsApiDocs } from './deals/api-docs.ts'
import { messagesApiDocs } from './messages/api-docs.ts'
import { notificationsApiDocs } from './notifications/api-docs.ts'
import type { ModuleDocs } from './openapi/module-docs.ts'
import { tradesApiDocs } from './trades/api-docs.ts'

/** The documentation of every module, in the order in which an integrator needs it. */
export const apiDocs: readonly ModuleDocs[] = [
  accountsApiDocs,
  carsApiDocs,
  dealsApiDocs,
  agreementsApiDocs,
  messagesApiDocs,
  tradesApiDocs,
  notificationsApiDocs,
  dealersApiDocs,
]
