import './node-version.mjs'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import { root, say } from './run.mjs'

// `node tools/typeface.mjs`: extracts the English characters of the body font into a file small
// enough for one round trip. Run it when the package changes. The result is committed with its
// style sheet.

const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
const rare = [...'#{}|\\^`~<>[]=']
const signs = [...'\u00a0©·–—‘’“”•…×↑↓']
const letters = [...ascii.filter((letter) => !rare.includes(letter)), ...signs].sort()

const source = createRequire(join(root, 'web/package.json')).resolve(
  '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2',
)
const folder = join(root, 'web/components/theme/faces')
const file = 'source-sans-3-english.woff2'

const bytes = await subsetFont(readFileSync(source), letters.join(''), {
  targetFormat: 'woff2',
  keepFeatures: ['kern', 'liga'],
  noHinting: true,
})
writeFileSync(join(folder, file), bytes)
writeFileSync(join(folder, 'english.css'), styleSheet())
say(`${file}: ${letters.length} letters, ${bytes.length} bytes`)

function styleSheet() {
  return `/* Made by tools/typeface.mjs. Stands behind the faces of the package, so it goes before them for its letters. */
@font-face {
  font-family: "Source Sans 3 Variable";
  font-style: normal;
  font-display: swap;
  font-weight: 200 900;
  src: url("./${file}") format("woff2");
  unicode-range: ${ranges().join(', ')};
}
`
}

/** Joins consecutive letters into ranges. */
function ranges() {
  const found = []
  for (const code of letters.map((letter) => letter.codePointAt(0) ?? 0)) {
    const last = found.at(-1)
    if (last && last[1] === code - 1) last[1] = code
    else found.push([code, code])
  }
  const name = (code) => code.toString(16).toUpperCase()
  return found.map(([from, to]) => `U+${name(from)}${to > from ? `-${name(to)}` : ''}`)
}
