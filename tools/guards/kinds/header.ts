import type { Found, Kind } from '../guard.ts'
import { isOfTypes, type Place, type Source, textOf } from '../source.ts'

/** Each header, each of its directives, each attribute of a cookie and each prefix of its name is left out. */
export const header: Kind = {
  name: 'header',
  files: /^server\/(http\/headers|accounts\/sessions\/cookies)\.ts$/,
  find: (source) =>
    source.places.filter((place) => !isOfTypes(place)).flatMap((place) => leftOut(source, place)),
}

function leftOut(source: Source, place: Place): Found[] {
  const { node, above } = place
  const text = textOf(source, node)
  // A header by its name, and what a group of headers takes over from another.
  if (node.type === 'Property' && /^'[\w-]+'$/.test(textOf(source, node.key)))
    return [{ place, what: `without ${text}`, instead: '...{}' }]
  if (node.type === 'SpreadElement' && above[0]?.type === 'ObjectExpression')
    return [{ place, what: `without ${text}`, instead: '...{}' }]
  if (node.type === 'Literal' && typeof node.value === 'string') {
    if (above[0]?.type === 'ArrayExpression') return [{ place, what: `without ${text}`, instead: '...[]' }]
    if (/^; \w+$/.test(node.value)) return [{ place, what: `without ${text}`, instead: "''" }]
    if (node.value.startsWith('__Host-'))
      return [{ place, what: `${text} without its prefix`, instead: `'${node.value.slice(7)}'` }]
  }
  if (node.type === 'TemplateLiteral' && text.includes('Max-Age=')) return attributes(place, text)
  return []
}

function attributes(place: Place, text: string): Found[] {
  const { start } = place.node
  return [...text.matchAll(/; (?:[A-Z][\w-]+)(?:=(?:\$\{\w+\}|[\w/]+))?/g)].map((match) => ({
    place,
    what: `without ${match[0]}`,
    instead: '',
    span: { start: start + match.index, end: start + match.index + match[0].length },
  }))
}
