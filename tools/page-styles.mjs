import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transform } from 'lightningcss'

/**
 * Writes an inline style sheet for each kind of rendered page, with only the rules that it can use.
 */
export async function cutStyles(folder) {
  for (const bundle of ['render.js', 'forms.js']) {
    const { toCut } = await import(pathToFileURL(join(folder, bundle)).href)
    for (const { file, ...given } of toCut()) writeFileSync(file, cut(given))
  }
}

/**
 * Returns the rules whose classes are in `html`, which contains every state of a page and its
 * script. A CSS module is included as a whole once one of its classes is used. Attribute selectors
 * never remove a rule, because scripts set attributes.
 */
export function cut({ css, html, faces }) {
  const words = new Set(html.match(/[\w-]+/g))
  const classes = [...new Set([...css.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map(([, name]) => name))]
  const modules = new Set(classes.filter((name) => words.has(name)).map(moduleOf))
  const isUsed = (name) => words.has(name) || (moduleOf(name) !== null && modules.has(moduleOf(name)))
  const { code } = transform({
    filename: 'page.css',
    code: Buffer.from(css),
    minify: true,
    unusedSymbols: classes.filter((name) => !isUsed(name)),
    visitor: { Rule: { 'font-face': ({ value }) => (isOneOf(faces, value) ? undefined : []) } },
  })
  return code.toString()
}

/**
 * Returns the prefix of a CSS module's class (`web/ssr/class-names.ts`). Classes of the library
 * have no prefix.
 */
const moduleOf = (name) => /^([a-z]{2})[A-Z]+$/.exec(name)?.[1] ?? null

/** Whether this font face is a system font or its URL matches `faces`. */
function isOneOf(faces, { properties }) {
  const sources = properties.flatMap(({ type, value }) => (type === 'source' ? value : []))
  const addresses = sources.flatMap(({ type, value }) => (type === 'url' ? [value.url.url] : []))
  return addresses.length === 0 || addresses.some((address) => faces.test(address))
}
