import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AgreementPages } from '@keyturn/contract/agreements/verify-page.ts'
import type { CarPages } from '@keyturn/contract/cars/car-pages.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll } from 'vitest'
import { buildApp, type FormPages, type PageRenderer } from '../../server/app.ts'
import type { Deps } from '../../server/deps.ts'
import { loadRenderer } from '../../server/platform/pages/renderer.ts'
import { fingerprintOf } from '../../tools/build.mjs'
import type { Browser } from './browser.ts'
import type { TestServer } from './test-server.ts'

/** Opens an app with the built public pages, which is closed after the file's tests. */
export async function openAppWithPages(
  server: TestServer,
  changed: Partial<Deps> = {},
): Promise<FastifyInstance> {
  const app = await buildApp({ ...server.deps, ...changed }, new URL('file:///nowhere/'), {
    renderer: await loadBuiltRenderer(),
  })
  afterAll(() => app.close())
  return app
}

/** Requests a page as a browser does, and checks that it has the style rules of its classes. */
export const requestPage = async (
  app: FastifyInstance,
  url: string,
  browser?: Browser,
  headers: Record<string, string> = {},
) => {
  const cookie = [...(browser?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await app.inject({
    url,
    headers: { accept: 'text/html', ...(cookie && { cookie }), ...headers },
  })
  if (findMissingRules(response.body).length > 0)
    throw new Error(`${url} has no rules for ${findMissingRules(response.body)}`)
  return response
}

/** Returns classes that have rules in the bundle's style sheet but none in the page. */
export function findMissingRules(html: string): string[] {
  const bundle = /(?:src="|import\(')\/assets\/(forms|rendered|verify)-/
    .exec(html)?.[1]
    ?.replace('verify', 'rendered')
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1]
  if (!bundle || !style) return []
  const inBundle = classesIn(readFileSync(new URL(`assets/${bundle}.css`, buildPages()), 'utf8'))
  const inPage = classesIn(style)
  const names = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, words = '']) => words.split(' '))
  return [...new Set(names)].filter((name) => inBundle.has(name) && !inPage.has(name))
}

const classesIn = (css: string) =>
  new Set([...css.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map(([, name]) => name ?? ''))

const root = resolve(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/keyturn-pages')

/**
 * Builds once per state of the sources, outside of `dist`, which may be rebuilt during the tests.
 */
export function buildPages(): URL {
  const name = fingerprintOf(['contract', 'web'])
  const folder = join(cache, name)
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true })
    const partial = `${folder}.${process.pid}`
    execFileSync(process.execPath, [join(root, 'tools/build.mjs'), '--pages', partial], { stdio: 'pipe' })
    try {
      renameSync(partial, folder)
    } catch {
      // Another worker has finished the same build.
      rmSync(partial, { recursive: true, force: true })
    }
    for (const other of readdirSync(cache))
      if (!other.startsWith(name)) rmSync(join(cache, other), { recursive: true, force: true })
  }
  return pathToFileURL(`${folder}/`)
}

export async function loadBuiltRenderer(): Promise<PageRenderer> {
  const renderer = await loadRenderer<CarPages & AgreementPages, FormPages>(buildPages())
  if (!renderer) throw new Error('The public pages were not built')
  return renderer
}
