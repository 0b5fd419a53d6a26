import type { Found, Kind } from './guard.ts'
import { textOf } from './source.ts'

/** Guards that none of the kinds finds: an expression in a file, and its replacement. */
const named: { path: string; expression: string; instead: string }[] = []

export const byHand: Kind = {
  name: 'by hand',
  files: new RegExp(named.map(({ path }) => `^${path}$`).join('|') || '^$'),
  find: (source) =>
    named
      .filter(({ path }) => path === source.path)
      .map(({ expression, instead }): Found => {
        const place = source.places.find(({ node }) => textOf(source, node) === expression)
        if (!place) throw new Error(`${source.path} has no ${expression} any more`)
        return { place, what: `${expression} -> ${instead}`, instead }
      }),
}
