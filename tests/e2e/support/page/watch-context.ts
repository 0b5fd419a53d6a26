import type { BrowserContext, Request, Response } from '@playwright/test'

export type Watch = {
  /** Problems that a developer should notice; must be empty at the end of every test. */
  problems: string[]
  /** Allows error responses that this test provokes, such as `GET /user 401`. */
  allowErrors(...lines: RegExp[]): void
  /** Sets whether requests may fail from now on. */
  allowFailedRequests(isAllowed: boolean): void
}

/** Records console errors, exceptions, failed requests and unexpected error responses. */
export function watchContext(context: BrowserContext): Watch {
  const problems: string[] = []
  const expected = [...harmlessErrors]
  let mayFail = false
  const record = (kind: string, message: string) => {
    if (!expected.some((known) => known.test(message))) problems.push(`${kind}: ${message}`)
  }

  context.on('console', (message) => {
    if (message.type() === 'error' && !isNetworkMessage(message.text())) record('console', message.text())
  })
  context.on('weberror', (error) => {
    const exception = error.error()
    // An exception without a script, such as a file that was not loaded, has an empty stack.
    record('exception', exception.stack || `${exception.name}: ${exception.message}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) record('error response', describeResponse(response))
  })
  context.on('requestfailed', (request) => {
    if (!mayFail && !isAborted(request)) record('failed', `${request.url()} ${request.failure()?.errorText}`)
  })
  return {
    problems,
    allowErrors: (...lines) => expected.push(...lines),
    allowFailedRequests: (isAllowed) => {
      mayFail = isAllowed
    },
  }
}

/** Errors that tell a page that nobody is signed in, no purchase exists, or a listing is gone. */
const harmlessErrors = [
  /^GET \/user 401$/,
  /^GET \/auth\/refresh 401$/,
  /^GET \/progress\/[0-9a-f]{24}\/\w+ 404$/,
  /^GET \/cars\/requests\/[0-9a-f]{24} 404$/,
  // The deal ended or the person signed out in the meantime.
  /^PUT \/messages\/[0-9a-f]{24}\/seen 40[14]$/,
  // Signing out closes the page, which then reports too late that the person left.
  /^POST \/progress\/looking\/[0-9a-f]{24}\/\w+ 40[14]$/,
]

/** Errors that tell /dev and /dealer that no administrator is signed in. */
export const administratorSignInErrors = [/^GET \/admin\/me 401$/, /^GET \/auth\/admin\/refresh 401$/]

function describeResponse(response: Response): string {
  const { pathname } = new URL(response.url())
  return `${response.request().method()} ${pathname} ${response.status()}`
}

/** Chromium reports each error response and failed request in the console too. */
const isNetworkMessage = (text: string) => text.startsWith('Failed to load resource')

/** Leaving a page aborts its pending requests. */
const isAborted = (request: Request) => request.failure()?.errorText === 'net::ERR_ABORTED'
