import type { Config } from '../../config.ts'
import type { EmailContent } from '../../platform/mail/email-content.ts'
import { sentence } from '../../platform/mail/sentence.ts'

/** To the operator's address, because a changed dealer is where the next deals go. */
export function dealerChangedEmail(
  { publicUrl }: Config,
  administrator: string,
  dealer: string,
  isNew: boolean,
): EmailContent {
  return {
    subject: isNew ? sentence`A dealer was added` : sentence`A dealer was changed`,
    lines: [
      isNew
        ? sentence`The administrator ${administrator} added the dealer ${dealer}.`
        : sentence`The administrator ${administrator} changed the dealer ${dealer}.`,
      sentence`If you did not expect this, check the audit log.`,
    ],
    button: { label: 'Open the Audit Log', href: new URL('/dev?tab=administrators', publicUrl).href },
  }
}
