import type { Mail } from '@keyturn/contract/accounts/calls.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { formatDateTime } from '@keyturn/contract/kit/dates.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { WorkButton } from '../ui/feedback/work-button.tsx'
import { ListTable } from '../ui/lists/list-table.tsx'
import { Loaded } from '../ui/lists/loaded.tsx'
import { ListSection } from './list-section.tsx'
import { MailDialog } from './mail-dialog.tsx'
import classes from './mailbox.module.css'
import { mailsQuery } from './queries.ts'

const texts = accountTexts.admin

/** Mails from Keyturn while no mail server is configured, newest first. */
export function MailboxCard() {
  const mails = useQuery(mailsQuery)
  const [open, setOpen] = useState<Mail | null>(null)
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
      <Loaded from={mails} failed={texts.mailsFailed} empty={texts.noMails} emptyPicture="papers">
        {(list) => (
          <ListTable
            label={texts.mails}
            rows={list}
            rowKey={(mail) => mail._id}
            columns={[
              { key: 'subject', header: texts.subject, kind: 'title', cell: (mail) => mail.subject },
              {
                key: 'to',
                header: texts.to,
                cell: (mail) => <span className={classes.address}>{mail.to}</span>,
              },
              { key: 'at', header: texts.at, cell: (mail) => formatDateTime(mail.createdAt) },
              {
                key: 'open',
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
      </Loaded>
      {open && <MailDialog mail={open} onClose={() => setOpen(null)} />}
    </ListSection>
  )
}
