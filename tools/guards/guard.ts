import { inShort, lineAt, nameAround, type Place, type Source } from './source.ts'

/**
 * One thing that keeps a person from what they may not do, and how to remove it: by changing sources as they are
 * loaded, or the tests' database after its migration. Nothing is written into the checkout.
 */
export type Guard = {
  /** What it is and where, without line numbers, so that it stays the same while lines move. */
  id: string
  kind: string
  path: string
  line: number
  /** The declaration that contains it. */
  within: string
  edits: readonly Edit[]
  sql: readonly string[]
}
/** `was` is the expected text, so that a file changed in the meantime is not cut in the wrong place. */
type Edit = { path: string; start: number; end: number; was: string; text: string }

/** The place of a guard and what to put there instead. */
export type Found = { place: Place; what: string; instead: string; span?: { start: number; end: number } }

/** `find` looks at one file. Files are selected by pattern, so that new ones are included automatically. */
export type Kind = { name: string; files: RegExp; find: (source: Source) => Found[] }

export function guardOf(kind: string, source: Source, { place, what, instead, span }: Found): Guard {
  const { start, end } = span ?? place.node
  const within = nameAround(place)
  return {
    id: `${kind} ${source.path} ${within}: ${inShort(what)}`,
    kind,
    path: source.path,
    line: lineAt(source.text, start),
    within,
    edits: [{ path: source.path, start, end, was: source.text.slice(start, end), text: instead }],
    sql: [],
  }
}

/** Identical guards in one declaration are told apart by a number. */
export function numbered(guards: readonly Guard[]): Guard[] {
  const seen = new Map<string, number>()
  return guards.map((guard) => {
    const count = (seen.get(guard.id) ?? 0) + 1
    seen.set(guard.id, count)
    return count === 1 ? guard : { ...guard, id: `${guard.id} #${count}` }
  })
}

/** The text of a file without these guards. */
export function without(guards: readonly Guard[], path: string, text: string): string {
  const edits = guards
    .flatMap((guard) => guard.edits)
    .filter((edit) => edit.path === path)
    .sort((one, other) => other.start - one.start)
  for (const { start, end, was } of edits)
    if (text.slice(start, end) !== was)
      throw new Error(`${path} has changed since its guards were looked for`)
  return edits.reduce((sum, edit) => sum.slice(0, edit.start) + edit.text + sum.slice(edit.end), text)
}
