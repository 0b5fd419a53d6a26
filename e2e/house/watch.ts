import type { BrowserContext, Request, Response } from '@playwright/test'

export type Watch = {
  /** What a person would never see and a developer should: empty at the end of every journey. */
  troubles: string[]
  /** Answers that this journey provokes on purpose (as `GET /user 401`), and what the console says of them. */
  expects(...lines: RegExp[]): void
  /** From here on requests may get no answer at all. */
  mayLoseRequests(yes: boolean): void
}

/** Notes every error in the console, every exception, every request without an answer and every refusal nobody expects. */
export function watchOver(context: BrowserContext): Watch {
  const troubles: string[] = []
  const expected = [...harmless]
  let mayLose = false
  const note = (kind: string, what: string) => {
    if (!expected.some((known) => known.test(what))) troubles.push(`${kind}: ${what}`)
  }

  context.on('console', (message) => {
    if (message.type() === 'error' && !isAboutAnAnswer(message.text())) note('console', message.text())
  })
  context.on('weberror', (error) => note('exception', String(error.error().stack ?? error.error())))
  context.on('response', (response) => {
    if (response.status() >= 400) note('refused', lineOf(response))
  })
  context.on('requestfailed', (request) => {
    if (!mayLose && !isLeftBehind(request)) note('failed', `${request.url()} ${request.failure()?.errorText}`)
  })
  return {
    troubles,
    expects: (...lines) => expected.push(...lines),
    mayLoseRequests: (yes) => {
      mayLose = yes
    },
  }
}

/** How the pages learn that nobody is signed in, that a purchase has not begun, and that a listing is gone. */
const harmless = [
  /^GET \/user 401$/,
  /^GET \/auth\/refresh 401$/,
  /^GET \/admin\/(mails|wholesalers) 401$/,
  /^GET \/auth\/admin\/refresh 401$/,
  /^GET \/progress\/[0-9a-f]{24}\/\w+ 404$/,
  /^GET \/cars\/requests\/[0-9a-f]{24} 404$/,
]

function lineOf(response: Response): string {
  const { pathname } = new URL(response.url())
  return `${response.request().method()} ${pathname} ${response.status()}`
}

/** Chromium says each refusal and each lost request in the console as well. */
const isAboutAnAnswer = (text: string) => text.startsWith('Failed to load resource')

/** A page that is left takes what it was still asking with it. */
const isLeftBehind = (request: Request) => request.failure()?.errorText === 'net::ERR_ABORTED'
