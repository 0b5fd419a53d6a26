import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { type ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import {
  type FirstAnswers,
  firstAnswersId,
  isAppPage,
  positionName,
  previewPaths,
  renderedPages,
} from '@keyturn/contract/shared/pages.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { photoPath } from '../storage/serve-photos.ts'
import { sendError } from './errors.ts'
import { appHeaders, pageHeaders, workerPolicy } from './headers.ts'

const year = 365 * 24 * 3600

/**
 * The app's pages and all assets. Every GET that nothing else answers and that asks for HTML by name is a page: the app
 * in the browser knows the rest (an unknown one leads to /). One of the app's own is also for who takes anything.
 * Anything else unknown is 404, a known path by another method 405 (R-everywhere-14, R-everywhere-15).
 */
export async function servePages(
  app: FastifyInstance,
  folder: URL,
  calls: readonly Endpoint[],
  {
    gate = () => null,
    bringAlong = async () => ({ files: [], answers: null, position: undefined }),
  }: AppPages = {},
): Promise<void> {
  await app.register(serveRootFiles, { root: fileURLToPath(folder) })
  await app.register(serveAssets, { root: fileURLToPath(new URL('assets/', folder)) })
  const patterns = [...calls, ...ourOwn].map(({ method, path }) => ({ method, pattern: patternOf(path) }))

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const isPage = request.method === 'GET' && acceptsHtml(request, isAppPage(path))
    try {
      app.takeAddressTurn?.(request, 'pages')
    } catch (refusal) {
      return sendTooMany(reply, (refusal as ApiError).retryAfterSeconds ?? 1, isPage)
    }
    const allowed = patterns.filter((known) => known.pattern.test(path)).map((known) => known.method)
    // Without a renderer, as in tests of calls, the pages that it renders are the app's.
    if (allowed.length > 0 && !allowed.includes(request.method)) {
      reply.header('allow', allowed.join(', '))
      return sendError(reply, apiErrors.MethodNotAllowed())
    }
    const elsewhere = isPage && gate(request, path)
    if (elsewhere) return reply.header('cache-control', 'no-store').redirect(elsewhere, 302)
    const index = isPage && (await readIndex(folder))
    if (!index) return sendError(reply, apiErrors.NotFound())
    const along = await bringAlong(request, path)
    const caching = along.answers ? 'no-store' : 'no-cache'
    return sendHtml(reply.header('cache-control', caching), withAlong(index, along), appHeaders)
  })
}

/** Handed down by `app.ts`. */
type AppPages = {
  /** Where a stranger is sent instead. */
  gate?: (request: FastifyRequest, path: string) => string | null
  bringAlong?: (request: FastifyRequest, path: string) => Promise<PagePreload>
}

/** What a page of the app brings along (R-everywhere-44). */
export type PagePreload = {
  files: readonly string[]
  answers: FirstAnswers | null
  /** Where what changes stood before any of the answers was read. */
  position: string | undefined
}

function withAlong(index: string, { files, answers, position }: PagePreload): string {
  const hints = files.map((file) =>
    file.endsWith('.css')
      ? `<link rel="preload" as="style" crossorigin href="${file}">`
      : `<link rel="modulepreload" crossorigin href="${file}">`,
  )
  if (position) hints.push(`<meta name="${positionName}" content="${position}">`)
  // A data block runs nothing, whatever somebody wrote; without `<` it cannot end before its end.
  const data =
    answers &&
    `<script type="application/json" id="${firstAnswersId}">${JSON.stringify(answers).replaceAll('<', '\\u003c')}</script>`
  return index
    .replace('</head>', () => `${hints.join('')}</head>`)
    .replace('<div id="root"></div>', (root) => `${root}${data ?? ''}`)
}

/** By name; what takes anything, as programs that look at a link do, is given a page where one is known to be. */
export function acceptsHtml({ headers: { accept } }: FastifyRequest, isKnownPage: boolean): boolean {
  if (accept === undefined) return isKnownPage
  return accept.includes('text/html') || (isKnownPage && /\*\/\*|text\/\*/.test(accept))
}

export const isAsset = (path: string): boolean => path.startsWith('/assets/')

const sendHtml = (reply: FastifyReply, html: string, headers = pageHeaders): FastifyReply =>
  reply.headers(headers).type('text/html; charset=utf-8').send(html)

/** A person in a browser reads a sentence, not JSON. */
export function sendTooMany(reply: FastifyReply, seconds: number, isPage: boolean): FastifyReply {
  const refusal = apiErrors.TooManyRequests({ retryAfterSeconds: seconds })
  if (!isPage) return sendError(reply, refusal)
  return sendHtml(reply.code(refusal.status).header('retry-after', seconds), plainPage(refusal.message))
}

/** One page without further files: somebody over the limit should not have to ask for more. */
const plainPage = (sentence: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Keyturn</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1.5rem }</style>
<h1>Keyturn</h1>
<p>${sentence}</p>
`

/** Each time anew: it names the assets of the build that lies there now. */
const readIndex = (folder: URL): Promise<string | null> =>
  readFile(new URL('index.html', folder), 'utf8').catch(() => null)

/** The name of an asset changes with its contents, and each lies there as the build compressed it, too. */
async function serveAssets(app: FastifyInstance, { root }: { root: string }): Promise<void> {
  await app.register(fastifyStatic, {
    ...files,
    root,
    prefix: '/assets/',
    preCompressed: true,
    allowedPath: (path) => /^\/\w[\w.-]*$/.test(path) && !/\.(br|gz)$/.test(path),
    setHeaders: (reply) => void reply.header('cache-control', `public, max-age=${year}, immutable`),
  })
}

async function serveRootFiles(app: FastifyInstance, { root }: { root: string }): Promise<void> {
  await app.register(fastifyStatic, {
    ...files,
    root,
    wildcard: false,
    // The page has headers of its own, wherever it is asked for.
    globIgnore: ['index.html', 'assets/**'],
    serveDotFiles: false,
    setHeaders: (reply, path) =>
      void reply.header('cache-control', 'no-cache').headers(headersOfRootFile(path)),
  })
}

/** Kept by the service worker with their headers, which are those of a page when they take its place (R-everywhere-41). */
function headersOfRootFile(path: string): Record<string, string> {
  if (path.endsWith('.html')) return appHeaders
  return path.endsWith('sw.js') ? { 'content-security-policy': workerPolicy } : {}
}

const files = { index: false, cacheControl: false, dotfiles: 'ignore' } as const

const ourOwn = [
  '/health/live',
  '/health/ready',
  '/openapi.json',
  ...renderedPages,
  ...previewPaths,
  photoPath,
].map((path) => ({ method: 'GET', path }))

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')}/?$`)
