import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { Attachment } from '../../integrations/smtp/mailer.ts'
import { type Placeholders, prepareQuery } from '../database/prepare-query.ts'
import type { AttachmentSources } from './email-tasks.ts'
import { mails } from './tables.ts'

/**
 * Creates the attachments of an email in the built-in mailbox. Returns null if there is no such
 * email, or if SMTP_URL is set and there is no mailbox.
 */
export async function createEmailAttachments(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  attachmentSources: AttachmentSources,
  id: string,
): Promise<Attachment[] | null> {
  const [mail] = config.smtpUrl === null ? await findAttachment(db, { id }) : []
  if (!mail) return null
  const [kind = '', about = ''] = mail.attachment?.split(':') ?? []
  return (await attachmentSources[kind]?.filesOf(about)) ?? []
}

const findAttachment = prepareQuery('find-email-attachment', (db, p: Placeholders<{ id: string }>) =>
  db.select({ attachment: mails.attachment }).from(mails).where(eq(mails.id, p.id)),
)
