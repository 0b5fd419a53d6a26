import type { FastifyInstance } from 'fastify'

/** Inline styles are allowed because the component library computes some in the browser. */
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

const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** API responses are data, so a browser that navigates to one must not run anything. */
const apiHeaders = {
  ...commonHeaders,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

export const pageHeaders = {
  'content-security-policy': pagePolicy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'x-frame-options': 'DENY',
}

/** VIN scanning needs the camera and WebAssembly, but no `eval` (R-cars-22). */
export const appHeaders = {
  ...pageHeaders,
  'content-security-policy': `${pagePolicy}; script-src 'self' 'wasm-unsafe-eval'`,
  'permissions-policy': pageHeaders['permissions-policy'].replace('camera=()', 'camera=(self)'),
}

/** The service worker only fetches pages and files of this origin and shows the icon. */
export const workerPolicy = "default-src 'none'; connect-src 'self'; img-src 'self'"

const onlyHttps = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** Headers of every response (R-everywhere-13); HTML pages override some with `pageHeaders`. */
export const responseHeaders = (https: boolean) => (https ? { ...apiHeaders, ...onlyHttps } : apiHeaders)

export function setHeaders(app: FastifyInstance, https: boolean): void {
  const headers = responseHeaders(https)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
}
