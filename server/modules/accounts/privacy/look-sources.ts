import type { ContactLook } from '@keyturn/contract/accounts/privacy/endpoints.ts'
import type { Cursor } from '../../../platform/database/pagination.ts'
import type { DataReader } from '../../../platform/personal-data/data-section.ts'

/** A row of a source, with its place in the order. It may be about several looks. */
type LookRow = { place: Cursor; looks: ContactLook[] }

/** Lists who could see a person's data, newest first: at most `limit` rows after the place `before`. */
export type LookSource = (
  reader: DataReader,
  personId: string,
  page: { limit: number; before: Cursor | null },
) => Promise<LookRow[]>

const rowsPerQuery = 200

/** Reads the newest looks of all sources. */
export async function readNewestLooks(
  sources: readonly LookSource[],
  reader: DataReader,
  personId: string,
  limit: number,
): Promise<ContactLook[]> {
  const found = await Promise.all(sources.map((list) => list(reader, personId, { limit, before: null })))
  return found
    .flatMap((rows) => rows.flatMap(({ looks }) => looks))
    .sort((one, other) => (one.at < other.at ? 1 : -1))
    .slice(0, limit)
}

/** Reads all looks, one source after the other, page by page. */
export async function* readAllLooks(
  sources: readonly LookSource[],
  reader: DataReader,
  personId: string,
): AsyncGenerator<ContactLook> {
  for (const list of sources) {
    let before: Cursor | null = null
    for (;;) {
      const rows: LookRow[] = await list(reader, personId, { limit: rowsPerQuery, before })
      for (const { looks } of rows) yield* looks
      if (rows.length < rowsPerQuery) break
      before = rows.at(-1)?.place ?? null
    }
  }
}
