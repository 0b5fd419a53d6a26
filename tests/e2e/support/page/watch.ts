import type { BrowserContext, Request, Response } from '@playwright/test'

export type Watch = {
  /** Problems a developer should notice; must be empty at the end of every test. */
  problems: string[]
  /** Responses this test provokes (such as `GET /user 401`), and their console messages. */
  allowErrors(...lines: RegExp[]): void
  /** Sets whether requests may fail from now on. */
  allowFailedRequests(yes: boolean): void
}

/** Records console errors, exceptions, failed requests and unexpected error responses. */
export function watchContext(context: BrowserContext): Watch {
  const troubles: string[] = []
  const expected = [...harmlessErrors]
  let mayLose = false
  const note = (kind: string, what: string) => {
    if (!expected.some((known) => known.test(what))) troubles.push(`${kind}: ${what}`)
  }

  context.on('console', (message) => {
    if (message.type() === 'error' && !isNetworkMessage(message.text())) note('console', message.text())
  })
  context.on('weberror', (error) => {
    const exception = error.error()
    // One that no script threw, such as a file that did not arrive, has an empty stack.
    note('exception', exception.stack || `${exception.name}: ${exception.message}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) note('refused', describeResponse(response))
  })
  context.on('requestfailed', (request) => {
    if (!mayLose && !isAborted(request)) note('failed', `${request.url()} ${request.failure()?.errorText}`)
  })
  return {
    problems: troubles,
    allowErrors: (...lines) => expected.push(...lines),
    allowFailedRequests: (yes) => {
      mayLose = yes
    },
  }
}

/**
 * Errors by which pages learn that nobody is signed in, no purchase exists, or a listing is gone.
 */
const harmlessErrors = [
  /^GET \/user 401$/,
  /^GET \/auth\/refresh 401$/,
  /^GET \/progress\/[0-9a-f]{24}\/\w+ 404$/,
  /^GET \/cars\/requests\/[0-9a-f]{24} 404$/,
  // The first message was in transit when the deal ended or the person signed out.
  /^PUT \/messages\/[0-9a-f]{24}\/seen 40[14]$/,
  // A page closed by signing out ends its presence too late.
  /^POST \/progress\/looking\/[0-9a-f]{24}\/\w+ 40[14]$/,
]

/** How /dev learns that no administrator is signed in; no other page asks. */
export const administratorSignInErrors = [/^GET \/admin\/mails 401$/, /^GET \/auth\/admin\/refresh 401$/]

function describeResponse(response: Response): string {
  const { pathname } = new URL(response.url())
  return `${response.request().method()} ${pathname} ${response.status()}`
}

/** Chromium also reports each error response and failed request in the console. */
const isNetworkMessage = (text: string) => text.startsWith('Failed to load resource')

/** Leaving a page aborts its pending requests. */
const isAborted = (request: Request) => request.failure()?.errorText === 'net::ERR_ABORTED'
