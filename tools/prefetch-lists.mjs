import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run.mjs'

/**
 * Writes the lists of files that rendered pages prefetch. Runs after both builds, which name the
 * files.
 */
export async function writePrefetchLists() {
  const [assets, bundle] = [join(root, 'dist/web/assets'), join(root, 'dist/ssr/render.js')]
  if (!existsSync(assets) || !existsSync(bundle)) return
  // The query defeats the module cache when the bundle was rebuilt.
  const { listsAhead } = await import(`${pathToFileURL(bundle).href}?${Date.now()}`)
  for (const name of readdirSync(assets)) if (/^ahead-.*\.json/.test(name)) rmSync(join(assets, name))
  for (const [name, files] of Object.entries(listsAhead())) {
    const text = JSON.stringify(files)
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
    writeFileSync(join(assets, `ahead-${name}-${digest}.json`), text)
  }
}
