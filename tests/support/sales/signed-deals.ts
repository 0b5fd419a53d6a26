import { readAgreementPdf } from '@keyturn/contract/agreements/endpoints.ts'
import type { Browser } from '../browser.ts'
import type { TestServer } from '../test-server.ts'
import { aSaleAt, readProgressOf, type Sale } from './deals.ts'

export type SignedDeal = Sale & { pkgId: string }

/** Creates a deal that both parties have signed, with its package id. */
export async function aSignedDeal(server: TestServer): Promise<SignedDeal> {
  const sale = await aSaleAt(server, 'passed')
  return { ...sale, pkgId: (await readProgressOf(sale)).pkgId ?? '' }
}

export const requestPdf = (server: TestServer, reader: Pick<Browser, 'cookies'>, pkgId: string, query = '') =>
  server.app.inject({
    url: `${readAgreementPdf.path.replace(':pkgId', pkgId)}${query}`,
    headers: { cookie: [...reader.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
