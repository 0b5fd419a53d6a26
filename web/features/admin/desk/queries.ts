import {
  type DeskList,
  listDeskDeals,
  readDesk,
  readDeskDeal,
} from '@keyturn/contract/dealers/dealer-desk.ts'
import { endpointQuery, pagedQuery, pollEvery } from '../../../api/queries.ts'
import { administratorKey } from '../../../auth/remembered-person.ts'

export const deskKey = [...administratorKey, 'desk']

export const deskQuery = endpointQuery(readDesk, [...deskKey, 'state'])

/** Polled, because no server event announces a delivery. */
export const deskDealsQuery = (list: DeskList) =>
  pagedQuery(listDeskDeals, [...deskKey, 'deals', list], { list }, pollEvery(30_000))

export const deskDealQuery = (pkgId: string) =>
  endpointQuery(readDeskDeal, [...deskKey, 'deal', pkgId], { params: { pkgId } })
