import { refuse } from '@keyturn/contract/kit/refusal.ts'

/** A place in a list ordered newest first: the last row that was shown. */
export type Cursor = { at: string; id: string }
export type Page = { limit: number; cursor?: string | undefined }

export const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(`${cursor.at} ${cursor.id}`).toString('base64url')

export function decodeCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null
  const [, at, id] = /^(\S+) ([0-9a-f]{24})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (!at || !id || Number.isNaN(Date.parse(at))) throw refuse.BadRequest()
  return { at, id }
}
