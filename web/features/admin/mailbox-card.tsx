import { listEmailAttachments, readEmailAttachment } from '@keyturn/contract/accounts/email-endpoints.ts'
import type { MailboxEmail } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../api/queries.ts'
import { fetchDocument } from '../../api/send.ts'
import { administratorKey } from '../../auth/remembered-person.ts'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { DownloadButton } from '../../components/feedback/download-button.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { FactTable } from '../../components/lists/fact-table.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { QueryContent } from '../../components/lists/query-content.tsx'
import { findButtonLink } from './email-button-link.ts'
import { ListSection } from './list-section.tsx'
import classes from './mailbox.module.css'
import { emailsQuery } from './queries.ts'

const texts = accountTexts.admin

/** Emails from Keyturn while no mail server is configured, newest first. */
export function MailboxCard() {
  const mails = useQuery(emailsQuery)
  const [open, setOpen] = useState<MailboxEmail | null>(null)
  return (
    <ListSection
      title={texts.mails}
      lead={texts.mailsLead}
      action={
        <WorkButton variant="default" onClick={() => mails.refetch()}>
          {texts.refresh}
        </WorkButton>
      }
    >
      <QueryContent from={mails} failed={texts.mailsFailed} empty={texts.noMails} emptyPicture="papers">
        {(list) => (
          <ListTable
            label={texts.mails}
            rows={list}
            columns={[
              { header: texts.subject, kind: 'title', cell: (mail) => mail.subject },
              { header: texts.to, cell: (mail) => <span className={classes.address}>{mail.to}</span> },
              { header: texts.at, cell: (mail) => formatDateTime(mail.createdAt) },
              {
                header: texts.columns.actions,
                kind: 'action',
                cell: (mail) => (
                  <Button
                    variant="default"
                    onClick={() => setOpen(mail)}
                    aria-label={texts.openMail(mail.subject, mail.to)}
                  >
                    {texts.open}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </QueryContent>
      {open && <MailDialog mail={open} onClose={() => setOpen(null)} />}
    </ListSection>
  )
}

/**
 * Shows the plain text, because the HTML is meant for email clients. Only our button is clickable.
 */
function MailDialog({ mail, onClose }: { mail: MailboxEmail; onClose: () => void }) {
  const link = findButtonLink(mail.html)
  return (
    <Dialog
      title={mail.subject}
      onClose={onClose}
      size="md"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {texts.close}
          </Button>
          {link && (
            <Button component="a" href={link}>
              {texts.openLink}
            </Button>
          )}
        </>
      }
    >
      <FactTable
        facts={[
          { term: texts.to, value: <span className={classes.address}>{mail.to}</span> },
          { term: texts.at, value: formatDateTime(mail.createdAt) },
        ]}
      />
      <p className={classes.text}>{mail.text}</p>
      {mail.hasFiles && <MailFiles mailId={mail._id} />}
    </Dialog>
  )
}

const mailFilesQuery = (mailId: string) =>
  endpointQuery(listEmailAttachments, [...administratorKey, 'mail-files', mailId], { params: { mailId } })

/** The attachments of an email, as its recipient would see them. */
function MailFiles({ mailId }: { mailId: string }) {
  const files = useQuery(mailFilesQuery(mailId))
  return (
    <Stack gap="sm">
      <Text fw={600}>{texts.files}</Text>
      <QueryContent from={files} failed={texts.filesFailed} skeleton="lines" skeletonRows={1}>
        {(all) => (
          <Stack gap="sm">
            {all.map(({ name, type, bytes }, place) => (
              <Group key={name} justify="space-between" gap="sm">
                <div>
                  <span className={classes.address}>{name}</span>
                  <Text size="sm" c="dimmed">
                    {texts.fileLine(type, sizeOf(bytes))}
                  </Text>
                </div>
                <DownloadButton
                  size="sm"
                  fetchFile={() => fetchDocument(readEmailAttachment, { params: { mailId, file: place } })}
                  name={name}
                  label={texts.downloadOf(name)}
                  working={texts.downloading}
                  failed={texts.fileFailed}
                >
                  {texts.download}
                </DownloadButton>
              </Group>
            ))}
          </Stack>
        )}
      </QueryContent>
    </Stack>
  )
}

const kilobytes = new Intl.NumberFormat('en-US', { style: 'unit', unit: 'kilobyte' })
const sizeOf = (bytes: number): string => kilobytes.format(Math.max(1, Math.round(bytes / 1000)))
