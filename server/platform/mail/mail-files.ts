import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { Attachment } from '../../integrations/smtp/mailer.ts'
import { type Placeholders, prepared } from '../database/prepared.ts'
import type { AttachmentSources } from './mail-jobs.ts'
import { mails } from './tables.ts'

/**
 * Creates the attachments of an email in the built-in mailbox. Returns null if there is no such
 * email, or if SMTP_URL is set and there is no mailbox.
 */
export async function createMailFiles(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  attachmentSources: AttachmentSources,
  id: string,
): Promise<Attachment[] | null> {
  const [mail] = config.smtpUrl === null ? await findAttachment(db, { id }) : []
  if (!mail) return null
  const [kind = '', about = ''] = mail.attachment?.split(':') ?? []
  return (await attachmentSources[kind]?.filesOf(about)) ?? []
}

const findAttachment = prepared('attachment-of-mail', (db, p: Placeholders<{ id: string }>) =>
  db.select({ attachment: mails.attachment }).from(mails).where(eq(mails.id, p.id)),
)
