import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll } from 'vitest'

/** Creates a build output with a page and these assets. It is deleted after the file's tests. */
export function createWebFolder(
  assets: Record<string, string | Buffer> = {},
  index = '<!doctype html><head></head><title>Keyturn</title><div id="root"></div>',
): URL {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-web-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), index)
  for (const [name, content] of Object.entries(assets)) writeFileSync(join(folder, 'assets', name), content)
  afterAll(() => rmSync(folder, { recursive: true }))
  return pathToFileURL(`${folder}/`)
}
