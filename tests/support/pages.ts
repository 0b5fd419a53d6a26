import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AgreementPages } from '@keyturn/contract/agreements/page.ts'
import type { CarPages } from '@keyturn/contract/cars/page.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll } from 'vitest'
import { buildApp, type FormPages, type PageRenderer } from '../../server/app.ts'
import type { Deps } from '../../server/deps.ts'
import { loadRenderer } from '../../server/platform/pages/renderer.ts'
import { fingerprintOf } from '../../tools/build.mjs'
import type { Browser } from './browser.ts'
import type { TestServer } from './test-server.ts'

/** Adds the built public pages to a test server; closed after the file's tests. */
export async function withPages(house: TestServer, changed: Partial<Deps> = {}): Promise<FastifyInstance> {
  const app = await buildApp({ ...house.deps, ...changed }, new URL('file:///nowhere/'), {
    renderer: await builtRenderer(),
  })
  afterAll(() => app.close())
  return app
}

/** Opens a page as a browser does, and checks that its style rules cover its elements. */
export const visit = async (
  app: FastifyInstance,
  url: string,
  browser?: Browser,
  headers: Record<string, string> = {},
) => {
  const cookie = [...(browser?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  const sent = await app.inject({
    url,
    headers: { accept: 'text/html', ...(cookie && { cookie }), ...headers },
  })
  if (lackingRules(sent.body).length > 0)
    throw new Error(`${url} has no rules for ${lackingRules(sent.body)}`)
  return sent
}

/** Returns classes that have rules in the bundle's style sheet but none in the page's own. */
export function lackingRules(html: string): string[] {
  const bundle = /(?:src="|import\(')\/assets\/(forms|rendered|verify)-/
    .exec(html)?.[1]
    ?.replace('verify', 'rendered')
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1]
  if (!bundle || !style) return []
  const whole = classesIn(readFileSync(new URL(`assets/${bundle}.css`, builtPages()), 'utf8'))
  const own = classesIn(style)
  const names = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, words = '']) => words.split(' '))
  return [...new Set(names)].filter((name) => whole.has(name) && !own.has(name))
}

const classesIn = (css: string) =>
  new Set([...css.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map(([, name]) => name ?? ''))

const root = resolve(import.meta.dirname, '../..')
const kept = join(root, 'node_modules/.cache/keyturn-pages')

/** Builds once per state of the sources, outside `dist`, which may be rebuilt during the tests. */
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
      // Another worker finished first.
      rmSync(draft, { recursive: true, force: true })
    }
    for (const other of readdirSync(kept))
      if (!other.startsWith(name)) rmSync(join(kept, other), { recursive: true, force: true })
  }
  return pathToFileURL(`${folder}/`)
}

export async function builtRenderer(): Promise<PageRenderer> {
  const renderer = await loadRenderer<CarPages & AgreementPages, FormPages>(builtPages())
  if (!renderer) throw new Error('The public pages were not built')
  return renderer
}
