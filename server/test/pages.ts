import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CarPages } from '@keyturn/contract/cars/page.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll } from 'vitest'
import { fingerprintOf } from '../../tools/build.mjs'
import { buildApp, type FormPages, type PageRenderer } from '../app.ts'
import type { Deps } from '../deps.ts'
import { loadRenderer } from '../pages/renderer.ts'
import type { Browser } from './browser.ts'
import type { House } from './house.ts'

/** The same server with the public pages, as the build makes them; closed after the file's tests. */
export async function withPages(house: House, changed: Partial<Deps> = {}): Promise<FastifyInstance> {
  const app = await buildApp({ ...house.deps, ...changed }, new URL('file:///nowhere/'), {
    renderer: await builtRenderer(),
  })
  afterAll(() => app.close())
  return app
}

/** Opens a page as a browser does. */
export const visit = (
  app: FastifyInstance,
  url: string,
  browser?: Browser,
  headers: Record<string, string> = {},
) => {
  const cookie = [...(browser?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  return app.inject({ url, headers: { accept: 'text/html', ...(cookie && { cookie }), ...headers } })
}

const root = resolve(import.meta.dirname, '../..')
const kept = join(root, 'node_modules/.cache/keyturn-pages')

/** Built once for the sources as they are, in a folder of its own: `dist` may be built anew while the tests run. */
export function builtPages(): URL {
  const name = fingerprintOf(['contract', 'web'])
  const folder = join(kept, name)
  if (!existsSync(folder)) {
    mkdirSync(kept, { recursive: true })
    const draft = `${folder}.${process.pid}`
    execFileSync(process.execPath, [join(root, 'tools/build.mjs'), '--pages', draft], { stdio: 'pipe' })
    try {
      renameSync(draft, folder)
    } catch {
      // Another worker was faster.
      rmSync(draft, { recursive: true, force: true })
    }
    for (const other of readdirSync(kept))
      if (!other.startsWith(name)) rmSync(join(kept, other), { recursive: true, force: true })
  }
  return pathToFileURL(`${folder}/`)
}

export async function builtRenderer(): Promise<PageRenderer> {
  const renderer = await loadRenderer<CarPages, FormPages>(builtPages())
  if (!renderer) throw new Error('The public pages were not built')
  return renderer
}
