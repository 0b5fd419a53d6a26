import { buffer } from 'node:stream/consumers'
import { type PaperSize, readAgreementPdf } from '@keyturn/contract/agreements/endpoints.ts'
import { readPaperwork } from '@keyturn/contract/agreements/paperwork/endpoints.ts'
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
  requestFile(server, reader, `${readAgreementPdf.path.replace(':pkgId', pkgId)}${query}`)

export const requestPaperwork = (
  server: TestServer,
  reader: Pick<Browser, 'cookies'>,
  pkgId: string,
  kind: string,
) => requestFile(server, reader, readPaperwork.path.replace(':pkgId', pkgId).replace(':kind', kind))

const requestFile = (server: TestServer, reader: Pick<Browser, 'cookies'>, url: string) =>
  server.app.inject({
    url,
    headers: { cookie: [...reader.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })

export type StoredPdfRow = { size: PaperSize; bytes: Buffer; digest: Buffer }

/** Reads the stored PDFs of a package from the object store, oldest first. */
export async function readStoredPdfs({ deps, query }: TestServer, pkgId: string): Promise<StoredPdfRow[]> {
  const rows = await query<Omit<StoredPdfRow, 'bytes'>>(
    'select size, digest from agreement_pdfs where package_id = $1 and bytes is null order by made_at',
    [pkgId],
  )
  return Promise.all(
    rows.map(async (row) => {
      const stored = await deps.pictures.documents.open(row.digest.toString('hex'))
      return { ...row, bytes: stored ? await buffer(stored) : Buffer.alloc(0) }
    }),
  )
}
