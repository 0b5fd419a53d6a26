import type { BrowserContext, Request } from '@playwright/test'
import { recordSecret, recordSecretsIn } from '../../support/secrets.ts'

/** Records the passwords, codes and cookies of a browser, which no log may contain. */
export function recordBrowserSecrets(context: BrowserContext): { recordCookies(): Promise<void> } {
  const noteCookies = async () => {
    for (const { value, httpOnly } of await context.cookies()) if (httpOnly) recordSecret(value)
  }
  context.on('request', recordTyped)
  // Only endpoints below /auth/ change a session's cookies.
  context.on('response', (response) => {
    if (pathOf(response).startsWith('/auth/')) noteCookies().catch(() => {})
  })
  return { recordCookies: noteCookies }
}

function recordTyped(request: Request): void {
  const code = /^\/auth\/email\/verify\/(.+)/.exec(pathOf(request))?.[1]
  recordSecretsIn({ code: code && decodeURIComponent(code), ...bodyOf(request) })
}

const pathOf = (of: { url(): string }): string => new URL(of.url()).pathname

function bodyOf(request: Request): object {
  try {
    return request.postDataJSON() ?? {}
  } catch {
    return {}
  }
}
