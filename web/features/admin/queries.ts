import { listAdminEvents, listAdministrators, readMe } from '@keyturn/contract/accounts/administrators.ts'
import { listQueuedEmails } from '@keyturn/contract/accounts/email-endpoints.ts'
import { listEmails, listWholesalers } from '@keyturn/contract/accounts/endpoints.ts'
import { findPeople, readPersonState } from '@keyturn/contract/accounts/suspensions.ts'
import { listClaims } from '@keyturn/contract/cars/claims.ts'
import { listDealers, listDeliveries } from '@keyturn/contract/dealers/endpoints.ts'
import { readInsights } from '@keyturn/contract/deals/insights.ts'
import { listReports } from '@keyturn/contract/messages/endpoints.ts'
import { endpointQuery, pagedQuery, pollEvery } from '../../api/queries.ts'
import { administratorKey } from '../../auth/remembered-person.ts'

/** The signed-in administrator; it records no look. */
export const meQuery = endpointQuery(readMe, [...administratorKey, 'me'])
export const administratorsQuery = endpointQuery(listAdministrators, [...administratorKey, 'administrators'])
export const adminEventsQuery = (filter: { administrator?: string; person?: string }) =>
  pagedQuery(listAdminEvents, [...administratorKey, 'events', filter], filter)

// Lists that change on their own are polled, because administrators get no server events.

/** The development mailbox. */
export const emailsQuery = endpointQuery(listEmails, [...administratorKey, 'mails'], {}, pollEvery(5000))

/** Emails that the mail server has not accepted. */
export const emailQueueQuery = endpointQuery(
  listQueuedEmails,
  [...administratorKey, 'mail-queue'],
  {},
  pollEvery(15_000),
)

/** Wholesalers who are not approved, whether pending or declined. */
export const wholesalersQuery = endpointQuery(listWholesalers, [...administratorKey, 'wholesalers'], {
  query: { approved: 'false' },
})

export const dealersQuery = endpointQuery(listDealers, [...administratorKey, 'dealers'])

export const deliveriesQuery = pagedQuery(
  listDeliveries,
  [...administratorKey, 'deliveries'],
  {},
  pollEvery(15_000),
)

export const claimsQuery = pagedQuery(listClaims, [...administratorKey, 'claims'], {}, pollEvery(15_000))
export const reportsQuery = pagedQuery(listReports, [...administratorKey, 'reports'], {}, pollEvery(15_000))

/** Disabled until something is typed. */
export const peopleQuery = (search: string) => ({
  ...endpointQuery(findPeople, [...administratorKey, 'people', 'found', search], { query: { search } }),
  enabled: search !== '',
})

export const personStateQuery = (userId: string) =>
  endpointQuery(
    readPersonState,
    [...administratorKey, 'people', userId],
    { params: { userId } },
    pollEvery(15_000),
  )

export const insightsQuery = endpointQuery(readInsights, [...administratorKey, 'insights'])
