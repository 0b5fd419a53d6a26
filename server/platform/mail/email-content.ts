import { escapeHtml } from '@keyturn/contract/shared/html.ts'
import { renderHeadline, renderSentence, renderSubject, type Sentence, sentence } from './sentence.ts'

type Button = { label: string; href: string }
type Part = { headline: Sentence; lines: readonly Sentence[]; button?: Button }

/** Content of an email: sentences, at most one button, and at most one link to a file. */
export type EmailContent = {
  subject: Sentence
  lines: readonly Sentence[]
  button?: Button
  /** Emails that were combined into this one, oldest first (R-notifications-13). */
  parts?: readonly Part[]
  /** Below the button; `label` has no period, because the address follows. */
  file?: Button
  /** Small print below the button: what to do if the email was not expected. */
  after?: readonly Sentence[]
  stop?: string
}

export function renderEmailText({ lines, button, parts = [], file, after = [], stop }: EmailContent): string {
  const link = (to?: Button) => (to ? [`${to.label}: ${to.href}`] : [])
  const each = parts.flatMap((part, at) => [
    `${at + 1}. ${renderSentence(part.headline)}`,
    ...part.lines.map(renderSentence),
    ...link(part.button),
  ])
  const all = [
    ...lines.map(renderSentence),
    ...each,
    ...link(button),
    ...link(file),
    ...after.map(renderSentence),
  ]
  const foot = stop ? [`${stopWords}: ${stop}`] : []
  return `${['Hello,', ...all, 'Keyturn', ...foot].join('\n\n')}\n`
}

const stopWords = 'Stop emails like this one'

/** Combines emails to one person. `heldBack`: some of them were delayed by the hourly limit. */
export function combineEmails(
  emails: readonly [EmailContent, ...EmailContent[]],
  heldBack = false,
): EmailContent {
  const newest = emails.at(-1) ?? emails[0]
  const wait = heldBack
    ? [sentence`Some of this was held back so that you would not get too many emails at once.`]
    : []
  if (emails.length === 1) return { ...newest, lines: [...wait, ...newest.lines] }
  const parts = emails.map(({ subject, lines, button }) => ({
    headline: subject,
    lines,
    ...(button && { button }),
  }))
  return {
    subject: withMore(newest.subject, emails.length - 1),
    lines: wait,
    parts,
    after: newest.after ?? [],
  }
}

function withMore({ ours, theirs }: Sentence, count: number): Sentence {
  const more = `, and ${count} more ${count === 1 ? 'update' : 'updates'}`
  return { ours: [...ours.slice(0, -1), `${ours.at(-1) ?? ''}${more}`], theirs }
}

/**
 * Uses tables and inline styles, because email clients support little else, with dark colors for
 * those that support them.
 */
export function renderEmailHtml({
  subject,
  lines,
  button,
  parts = [],
  file,
  after = [],
  stop,
}: EmailContent): string {
  const headline = parts.length > 0 ? `${parts.length} updates` : renderHeadline(subject)
  const paragraph = (text: Sentence) => `<p style="margin:0 0 16px">${escapeHtml(renderSentence(text))}</p>`
  const small = (text: Sentence) =>
    `<p class="quiet" style="margin:0 0 8px;font-size:13px;color:#5C635F">${escapeHtml(renderSentence(text))}</p>`
  const part = ({ headline, lines, button }: Part) =>
    `<h2 class="part" style="margin:24px 0 8px;padding-top:24px;border-top:1px solid #E7E3DA;font-size:17px;line-height:1.25;font-weight:700">${escapeHtml(renderHeadline(headline))}</h2>
${[...lines.map(paragraph), button ? buttonOf(button) : ''].join('\n')}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(renderSubject(subject))}</title>
<style>
@media (prefers-color-scheme: dark) {
  .ground { background: #141716 !important }
  .sheet { background: #1C201F !important; border-color: #2C3230 !important; color: #ECEBE6 !important }
  .quiet { color: #A9AFAA !important }
  .part { border-color: #2C3230 !important }
}
</style>
</head>
<body class="ground" style="margin:0;background:#FAF9F6">
${previewOf([...lines, ...parts.flatMap((part) => part.lines)])}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="ground" style="background:#FAF9F6"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="sheet" style="max-width:560px;table-layout:fixed;background:#fff;border:1px solid #E7E3DA;border-radius:10px;color:#1B1F1E;font:15px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"><tr><td style="padding:28px 24px;overflow-wrap:anywhere;word-break:break-word">
<p style="margin:0 0 24px;font-size:17px;font-weight:700">Keyturn</p>
<h1 style="margin:0 0 16px;font-size:21px;line-height:1.25;font-weight:700">${escapeHtml(headline)}</h1>
${[...lines.map(paragraph), ...parts.map(part)].join('\n')}
${button ? buttonOf(button) + addressOf({ ...button, label: ifBroken }) : ''}
${file ? addressOf(file) : ''}
${after.map(small).join('\n')}
${stop ? stopOf(stop) : ''}
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}

/** Preview text that an inbox shows after the subject: the first sentence. */
const previewOf = ([first]: readonly Sentence[]) =>
  first
    ? `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(renderSentence(first))}</div>`
    : ''

const buttonOf = ({ label, href }: Button) =>
  `<p style="margin:24px 0"><a href="${escapeHtml(href)}" style="display:inline-block;background:#0F5C4A;color:#fff;text-decoration:none;font-weight:700;padding:12px 20px;border-radius:10px">${escapeHtml(label)}</a></p>`

const ifBroken = 'If the button does not work, copy this address into your browser'

function addressOf({ label, href }: Button): string {
  const url = escapeHtml(href)
  return `<p class="quiet" style="margin:0 0 16px;font-size:13px;color:#5C635F">${escapeHtml(label)}:<br><a href="${url}" class="quiet" style="color:#5C635F;word-break:break-all">${url}</a></p>`
}

const stopOf = (href: string) =>
  `<p class="quiet" style="margin:24px 0 0;font-size:13px;color:#5C635F"><a href="${escapeHtml(href)}" class="quiet" style="color:#5C635F">${stopWords}</a></p>`
