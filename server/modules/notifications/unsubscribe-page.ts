import { createHash } from 'node:crypto'
import type { NotificationKind } from '@keyturn/contract/notifications/notification-kinds.ts'
import { preferencesTexts } from '@keyturn/contract/notifications/preferences-texts.ts'
import { escapeHtml } from '@keyturn/contract/shared/html.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { pageHeaders } from '../../platform/http/response-headers.ts'
import {
  parseUnsubscribeLink,
  type UnsubscribeParams,
  unsubscribePath,
} from '../../platform/mail/unsubscribe-link.ts'
import { disableKinds } from './preferences.ts'

const texts = preferencesTexts.stop

/**
 * Serves the page behind the unsubscribe link of an email. Opening it changes nothing, because mail
 * scanners open links; its button, or one click in the email program (RFC 8058), stops these kinds
 * of email. No sign-in is needed (R-notifications-22).
 */
export function registerUnsubscribePage(
  app: FastifyInstance,
  deps: Pick<Deps, 'db' | 'config' | 'log'>,
): void {
  void app.register(async (scope) => {
    // The request is in the URL; the body only confirms it.
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'string', bodyLimit: 4096 },
      (_request, _body, done) => done(null, null),
    )
    scope.get(unsubscribePath, { exposeHeadRoute: false }, async (request, reply) => {
      const link = parseLink(deps, request)
      return link ? send(reply, 200, question(link.kinds)) : send(reply, 404, invalid())
    })
    scope.post(unsubscribePath, async (request, reply) => {
      const link = parseLink(deps, request)
      if (!link) return send(reply, 404, invalid())
      await disableKinds(deps.db, { ...link, channel: 'mail' })
      deps.log.info({ event: 'emails unsubscribed by link', user: link.userId, kinds: link.kinds }, 'account')
      return send(reply, 200, done())
    })
  })
}

const parseLink = ({ config }: Pick<Deps, 'config'>, { query }: FastifyRequest) =>
  parseUnsubscribeLink(config, query as Partial<Record<keyof UnsubscribeParams, unknown>>)

const labelOf = (kind: string): string => preferencesTexts.kinds[kind as NotificationKind]?.label ?? kind

/** The form posts to the URL of the page itself. */
const question = (kinds: readonly string[]) =>
  page(
    texts.title,
    `<p>${escapeHtml(texts.question(kinds.map(labelOf).join(', ')))}</p>
<p class="quiet">${escapeHtml(texts.lead)}</p>
<form method="post"><button>${escapeHtml(texts.button)}</button></form>`,
  )

const done = () => page(texts.done, `<p>${escapeHtml(texts.doneLead)}</p>${settingsLink()}`)
const invalid = () => page(texts.invalidTitle, `<p>${escapeHtml(texts.invalid)}</p>${settingsLink()}`)
const settingsLink = () => `<p><a href="/settings">${escapeHtml(texts.settings)}</a></p>`

/** Matches the look of the emails that link here. */
const style = `body{margin:0;background:#FAF9F6;color:#1B1F1E;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
main{max-width:496px;margin:32px auto;padding:32px;background:#fff;border:1px solid #E7E3DA;border-radius:10px}
@media(max-width:600px){main{margin:16px;padding:24px}}
p{margin:0 0 16px}.brand{font-size:17px;font-weight:700}h1{margin:0 0 16px;font-size:21px;line-height:1.2}
.quiet{color:#5C635F}a{color:#0F5C4A}
button{min-height:44px;padding:10px 20px;border:0;border-radius:10px;background:#0F5C4A;color:#fff;font:inherit;font-weight:700;cursor:pointer}
@media(prefers-color-scheme:dark){body{background:#141716;color:#ECEBE6}main{background:#1C201F;border-color:#2C3230}.quiet{color:#A9AFAA}a{color:#7CC4AE}}`

const policy = pageHeaders['content-security-policy'].replace(
  "style-src 'self' 'unsafe-inline'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
)

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Keyturn</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="brand">Keyturn</p>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`

const send = (reply: FastifyReply, status: number, html: string) =>
  reply
    .code(status)
    .headers({ ...pageHeaders, 'content-security-policy': policy })
    .type('text/html; charset=utf-8')
    .send(html)
