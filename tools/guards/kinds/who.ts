import type { Who } from '@keyturn/contract/kit/call.ts'
import type { Found, Kind } from '../guard.ts'
import { bare, textOf } from '../source.ts'

/** The next wider group of people; nobody is wider than anyone. */
const wider: Record<Exclude<Who, 'anyone'>, Who> = {
  signedIn: 'anyone',
  verified: 'signedIn',
  trader: 'verified',
  wholesaler: 'verified',
  administrator: 'signedIn',
  partner: 'anyone',
}

/** Each group that a call names is replaced by the next wider one. */
export const who: Kind = {
  name: 'who',
  files:
    /^contract\/\w+\/(([\w-]+\/)?calls|consent|mails|push|switches|dealers\/(dealers|partner|dealer-desk))\.ts$/,
  find: (source) =>
    source.places.flatMap((place): Found[] => {
      const { node } = place
      if (node.type !== 'Property' || node.key.type !== 'Identifier' || node.key.name !== 'who') return []
      const list = bare(node.value)
      if (list.type !== 'ArrayExpression') throw new Error(`${source.path}: a who that is no list`)
      return list.elements.flatMap((one): Found[] => {
        if (one?.type !== 'Literal' || one.value === 'anyone') return []
        const name = String(one.value) as keyof typeof wider
        const next = wider[name]
        if (!next) throw new Error(`${source.path}: ${textOf(source, one)} is wider than nobody knows`)
        return [
          { place: { node: one, above: place.above }, what: `${name} -> ${next}`, instead: `'${next}'` },
        ]
      })
    }),
}
