import { inShort, lineAt, nameAround, type Place, type Source } from './source.ts'

/**
 * One thing that stands between a person and what they may not do, and how to take it away: as changes of sources when
 * they are loaded, or of the tests' database after it was migrated. Nothing is written into the checkout.
 */
export type Guard = {
  /** What it is and where, in words that stay the same while lines move. */
  id: string
  kind: string
  path: string
  line: number
  /** The declaration that it stands in. */
  within: string
  edits: readonly Edit[]
  sql: readonly string[]
}
/** `was` is what must stand there: a file that has changed meanwhile is not cut at the wrong place. */
type Edit = { path: string; start: number; end: number; was: string; text: string }

/** A place where a guard stands and what to put there instead. */
export type Found = { place: Place; what: string; instead: string; span?: { start: number; end: number } }

/** `find` looks at one file. Files are named by a pattern, so that a new one is looked at without being named. */
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

/** Two that read alike in one declaration are told apart by their number. */
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
