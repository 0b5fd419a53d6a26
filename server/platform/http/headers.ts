import type { FastifyInstance } from 'fastify'

/** Scripts come from our own files only; styles may be inline because the component library computes some in the browser. */
const pagePolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
].join('; ')

/** For every answer: it is not cached, sniffed, embedded, or named in a referrer. */
const always = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** The answer of a call is data: a browser that is led to one shows text and runs nothing. */
const ofCalls = { ...always, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }

export const pageHeaders = {
  'content-security-policy': pagePolicy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'x-frame-options': 'DENY',
}

/** The app scans VINs: with the camera, and with compiled code of our own, which is no text made into a script (R-cars-22). */
export const appHeaders = {
  ...pageHeaders,
  'content-security-policy': `${pagePolicy}; script-src 'self' 'wasm-unsafe-eval'`,
  'permissions-policy': pageHeaders['permissions-policy'].replace('camera=()', 'camera=(self)'),
}

/** A worker's own file says what it may ask for: the service worker fetches pages and files of ours, shows our icon, and starts nothing. */
export const workerPolicy = "default-src 'none'; connect-src 'self'; img-src 'self'"

const onlyHttps = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** Headers of every answer (R-everywhere-13); HTML pages override some of them with `pageHeaders`. */
export const headersOf = (https: boolean) => (https ? { ...ofCalls, ...onlyHttps } : ofCalls)

export function setHeaders(app: FastifyInstance, https: boolean): void {
  const headers = headersOf(https)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
}
