import { agreementPdf } from '@keyturn/contract/deals/endpoints.ts'
import type { Browser } from '../browser.ts'
import type { TestServer } from '../test-server.ts'
import { aSaleAt, progressOf, type Sale } from './deals.ts'

export type SignedDeal = Sale & { pkgId: string }

/** What both have signed, with the number of its package. */
export async function aSignedDeal(house: TestServer): Promise<SignedDeal> {
  const sale = await aSaleAt(house, 'passed')
  return { ...sale, pkgId: (await progressOf(sale)).pkgId ?? '' }
}

/** The agreement's PDF as its reader downloads it, byte for byte. */
export const sendPdf = (house: TestServer, reader: Pick<Browser, 'cookies'>, pkgId: string, query = '') =>
  house.app.inject({
    url: `${agreementPdf.path.replace(':pkgId', pkgId)}${query}`,
    headers: { cookie: [...reader.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
