import { join } from 'node:path'
import { escapeHtml } from '@keyturn/contract/shared/html.ts'
import type { Browser } from '@playwright/test'
import type { Config } from '../../server/config.ts'
import * as accounts from '../../server/modules/accounts/emails.ts'
import * as cars from '../../server/modules/cars/emails.ts'
import { emailExamples } from '../../server/modules/notifications/email-examples.ts'
import { emailFor } from '../../server/modules/notifications/emails.ts'
import {
  combineEmails,
  type EmailContent,
  renderEmailHtml,
  renderEmailText,
} from '../../server/platform/mail/email-content.ts'
import { renderSubject, sentence } from '../../server/platform/mail/sentence.ts'
import { findOverflow } from '../../tests/e2e/support/page/overflow.ts'

const config = { publicUrl: new URL('https://keyturn.example') } as Config
const stopLink = `https://keyturn.example/mail/stop?${new URLSearchParams({ to: 'c'.repeat(24), kinds: 'requests', proof: 'p'.repeat(43) })}`
const car = { vin: '1HGCM82633A004352', userId: 'c'.repeat(24) }
const code = 'k'.repeat(43)

/**
 * The emails of each event to each recipient, the emails about accounts, and one that combines
 * several emails.
 */
export const emails: readonly { name: string; email: EmailContent }[] = toScreenshots([
  ...emailExamples.flatMap(({ name, notification }): [string, EmailContent][] => {
    const email = emailFor(config, notification, 'America/Denver')
    if (!email) return []
    return [[name, notification.line.mail === 'needed' ? email : { ...email, stop: stopLink }]]
  }),
  [
    'several',
    { ...combineEmails(examples(['requestReceived', 'priceChanged', 'sellerSigned']), true), stop: stopLink },
  ],
  ['verify', accounts.verificationEmail(config, code, car)],
  ['someone tried', accounts.registrationAttemptEmail(config)],
  ['reset', accounts.passwordResetEmail(config, code, new Date('2026-11-24T20:04:00Z'))],
  ['login link', accounts.loginLinkEmail(config, code)],
  ['password changed', accounts.passwordChangedEmail(config, { removedPasskeys: true, revokedTokens: true })],
  ['token created', accounts.tokenCreatedEmail(config, 'Inventory script')],
  ['address changing', accounts.addressChangingEmail(config, 'sally.the.second@mail.example.com')],
  ['session ended', accounts.sessionEndedEmail(config)],
  ['approved', accounts.wholesalerApprovedEmail(config)],
  ['declined', accounts.wholesalerDeclinedEmail()],
  ['account deleted', accounts.accountDeletedEmail()],
  ['listing removed', cars.listingRemovedEmail(config, '2003 Honda Accord EX')],
  ['listing kept', cars.listingKeptEmail('2003 Honda Accord EX', false)],
])

function toScreenshots(all: readonly [string, EmailContent][]) {
  return all.map(([name, email]) => ({ name: `email-${name.replaceAll(' ', '-')}`, email }))
}

function examples(events: readonly string[]): [EmailContent, ...EmailContent[]] {
  const [first = { subject: sentence``, lines: [] }, ...rest] = events.flatMap((event) => {
    const notification = emailExamples.find((one) => one.notification.event === event)?.notification
    return (notification && emailFor(config, notification, 'America/Denver')) ?? []
  })
  return [first, ...rest]
}

const sizes = [360, 640].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))

/** Captures each email as HTML and as plain text. Returns the emails that are too wide. */
export async function captureEmails(
  browser: Browser,
  chosen: typeof emails,
  folder: string,
): Promise<string[]> {
  const context = await browser.newContext({ offline: true })
  const page = await context.newPage()
  const problems: string[] = []
  for (const { name, email } of chosen) {
    await page.setContent(renderEmailHtml(email))
    for (const { width, scheme } of sizes) {
      await page.setViewportSize({ width, height: 400 })
      await page.emulateMedia({ colorScheme: scheme })
      problems.push(...(await findOverflow(page)).map((fault) => `${name}, ${width}: ${fault}`))
      await page.screenshot({ path: join(folder, `${name}--${width}-${scheme}.png`), fullPage: true })
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setContent(textPage(email))
    await page.screenshot({ path: join(folder, `${name}--text.png`), fullPage: true })
    process.stdout.write(`        ${name}\n`)
  }
  await context.close()
  return problems
}

const textPage = (email: EmailContent) =>
  `<pre style="white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.4 monospace">Subject: ${escapeHtml(renderSubject(email.subject))}

${escapeHtml(renderEmailText(email))}</pre>`
