import { byHand } from './by-hand.ts'
import { type Exception, exceptions } from './exceptions.ts'
import { type Guard, guardOf, type Kind, numbered } from './guard.ts'
import { cell } from './kinds/cell.ts'
import { condition } from './kinds/condition.ts'
import { demand } from './kinds/demand.ts'
import { header } from './kinds/header.ts'
import { limit } from './kinds/limit.ts'
import { refusal } from './kinds/refusal.ts'
import { rule } from './kinds/rule.ts'
import { who } from './kinds/who.ts'
import { productFiles, readSource, type Source } from './source.ts'

export const kinds: readonly Kind[] = [who, cell, rule, header, refusal, demand, limit, condition, byHand]

const guardsIn = (kind: Kind, source: Source): Guard[] =>
  kind.find(source).map((found) => guardOf(kind.name, source, found))

/** Every guard in the sources; those of the database are listed from the database itself. */
export const guardsOfSources = (): Guard[] =>
  numbered(
    kinds.flatMap((kind) => productFiles(kind.files).flatMap((path) => guardsIn(kind, readSource(path)))),
  )

/** The guards to try: all without an exception, and each pair of twins as one. */
export function triedOf(guards: readonly Guard[], known: readonly Exception[] = exceptions): Guard[] {
  const byId = new Map(guards.map((guard) => [guard.id, guard]))
  const find = (id: string): Guard => {
    const guard = byId.get(id)
    if (!guard) throw new Error(`There is no such guard any more: ${id}`)
    return guard
  }
  const excepted = new Set(known.map(({ guard }) => find(guard).id))
  const pairs = known.flatMap(({ guard, twin }) => {
    if (twin === undefined) return []
    const [one, other] = [find(guard), find(twin)]
    return [
      {
        ...one,
        kind: 'pair',
        id: `pair ${one.id} + ${other.id}`,
        edits: [...one.edits, ...other.edits],
        sql: [...one.sql, ...other.sql],
      },
    ]
  })
  return [...guards.filter(({ id }) => !excepted.has(id)), ...pairs]
}
