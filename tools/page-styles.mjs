import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transform } from 'lightningcss'

/**
 * Writes a style sheet for each kind of page that the server renders, with the rules that it can use and no others: it
 * stands in the page, before its words. What the kinds are, the bundles say themselves.
 */
export async function cutStyles(folder) {
  for (const bundle of ['render.js', 'forms.js']) {
    const { toCut } = await import(pathToFileURL(join(folder, bundle)).href)
    for (const { file, ...given } of toCut()) writeFileSync(file, cut(given))
  }
}

/**
 * The rules whose classes are in `html`, which has every face of a page and its script. A module of styles stays whole
 * once one of its classes is there, and no rule goes because of its attributes: scripts set them.
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

/** Of a class as `web/ssr/class-names.ts` names those of a module; the library's own have none. */
const moduleOf = (name) => /^([a-z]{2})[A-Z]+$/.exec(name)?.[1] ?? null

/** A typeface that is fetched stays where its address is one of `faces`; one that the system has stays anyway. */
function isOneOf(faces, { properties }) {
  const sources = properties.flatMap(({ type, value }) => (type === 'source' ? value : []))
  const addresses = sources.flatMap(({ type, value }) => (type === 'url' ? [value.url.url] : []))
  return addresses.length === 0 || addresses.some((address) => faces.test(address))
}
