import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { type ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import {
  eventPositionName,
  isAppPage,
  type PreloadedResponses,
  preloadedResponsesId,
  previewPaths,
  serverRenderedPages,
} from '@keyturn/contract/shared/pages.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { photoPath } from '../storage/serve-photos.ts'
import { sendError } from './error-handlers.ts'
import { appHeaders, pageHeaders, workerPolicy } from './response-headers.ts'

const year = 365 * 24 * 3600

/**
 * Serves the app's pages and assets. Any unmatched GET whose `Accept` names HTML gets the app,
 * which redirects unknown paths to `/`. Known app pages also accept wildcard `Accept` headers.
 * Other unknown paths return 404, and known paths with another method 405 (R-everywhere-14,
 * R-everywhere-15).
 */
export async function servePages(
  app: FastifyInstance,
  folder: URL,
  calls: readonly Endpoint[],
  {
    signInRedirect = () => null,
    preload = async () => ({ files: [], answers: null, position: undefined }),
  }: AppPages = {},
): Promise<void> {
  await app.register(serveRootFiles, { root: fileURLToPath(folder) })
  await app.register(serveAssets, { root: fileURLToPath(new URL('assets/', folder)) })
  const patterns = [...calls, ...otherRoutes].map(({ method, path }) => ({
    method,
    pattern: patternOf(path),
  }))

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const isPage = request.method === 'GET' && acceptsHtml(request, isAppPage(path))
    try {
      app.consumeAddressLimit?.(request, 'pages')
    } catch (apiError) {
      return sendTooManyRequests(reply, (apiError as ApiError).retryAfterSeconds ?? 1, isPage)
    }
    const allowed = patterns.filter((known) => known.pattern.test(path)).map((known) => known.method)
    // Without a renderer, as in endpoint tests, the app serves the rendered pages too.
    if (allowed.length > 0 && !allowed.includes(request.method)) {
      reply.header('allow', allowed.join(', '))
      return sendError(reply, apiErrors.MethodNotAllowed())
    }
    const redirectTo = isPage && signInRedirect(request, path)
    if (redirectTo) return reply.header('cache-control', 'no-store').redirect(redirectTo, 302)
    const index = isPage && (await readIndex(folder))
    if (!index) return sendError(reply, apiErrors.NotFound())
    const preloaded = await preload(request, path)
    const caching = preloaded.answers ? 'no-store' : 'no-cache'
    return sendHtml(reply.header('cache-control', caching), withPreload(index, preloaded), appHeaders)
  })
}

type AppPages = {
  /** The redirect target for a visitor who is not signed in, or null. */
  signInRedirect?: (request: FastifyRequest, path: string) => string | null
  preload?: (request: FastifyRequest, path: string) => Promise<PagePreload>
}

/** Files and data preloaded with an app page (R-everywhere-44). */
export type PagePreload = {
  files: readonly string[]
  answers: PreloadedResponses | null
  /** The position in the event stream before the first of the responses was read. */
  position: string | undefined
}

function withPreload(index: string, { files, answers, position }: PagePreload): string {
  const hints = files.map((file) =>
    file.endsWith('.css')
      ? `<link rel="preload" as="style" crossorigin href="${file}">`
      : `<link rel="modulepreload" crossorigin href="${file}">`,
  )
  if (position) hints.push(`<meta name="${eventPositionName}" content="${position}">`)
  // A JSON data block is never executed; escaping `<` keeps user text from closing it early.
  const data =
    answers &&
    `<script type="application/json" id="${preloadedResponsesId}">${JSON.stringify(answers).replaceAll('<', '\\u003c')}</script>`
  return index
    .replace('</head>', () => `${hints.join('')}</head>`)
    .replace('<div id="root"></div>', (root) => `${root}${data ?? ''}`)
}

/** Link previewers send wildcards or no `Accept`, which count as HTML for known pages only. */
export function acceptsHtml({ headers: { accept } }: FastifyRequest, isKnownPage: boolean): boolean {
  if (accept === undefined) return isKnownPage
  return accept.includes('text/html') || (isKnownPage && /\*\/\*|text\/\*/.test(accept))
}

export const isAsset = (path: string): boolean => path.startsWith('/assets/')

const sendHtml = (reply: FastifyReply, html: string, headers = pageHeaders): FastifyReply =>
  reply.headers(headers).type('text/html; charset=utf-8').send(html)

/** Sends 429: HTML for a page, JSON otherwise. */
export function sendTooManyRequests(reply: FastifyReply, seconds: number, isPage: boolean): FastifyReply {
  const apiError = apiErrors.TooManyRequests({ retryAfterSeconds: seconds })
  if (!isPage) return sendError(reply, apiError)
  return sendHtml(reply.code(apiError.status).header('retry-after', seconds), plainPage(apiError.message))
}

/** Loads no other files, because a client over the limit could not fetch them. */
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

/** Not cached, because a new build changes the asset names in it. */
const readIndex = (folder: URL): Promise<string | null> =>
  readFile(new URL('index.html', folder), 'utf8').catch(() => null)

/** Asset names contain a content hash; the build also writes compressed copies. */
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
    // `index.html` is sent by the not-found handler, with page headers.
    globIgnore: ['index.html', 'assets/**'],
    serveDotFiles: false,
    setHeaders: (reply, path) =>
      void reply.header('cache-control', 'no-cache').headers(headersOfRootFile(path)),
  })
}

/**
 * The service worker caches HTML files with their headers and serves them as pages
 * (R-everywhere-41).
 */
function headersOfRootFile(path: string): Record<string, string> {
  if (path.endsWith('.html')) return appHeaders
  return path.endsWith('sw.js') ? { 'content-security-policy': workerPolicy } : {}
}

const files = { index: false, cacheControl: false, dotfiles: 'ignore' } as const

const otherRoutes = [
  '/health/live',
  '/health/ready',
  '/openapi.json',
  ...serverRenderedPages,
  ...previewPaths,
  photoPath,
].map((path) => ({ method: 'GET', path }))

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')}/?$`)
