import type { Mail } from '@keyturn/contract/accounts/calls.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { formatDateTime } from '@keyturn/contract/kit/dates.ts'
import { Button } from '@mantine/core'
import { Dialog } from '../ui/feedback/dialog.tsx'
import { FactTable } from '../ui/lists/fact-table.tsx'
import { buttonLinkOf } from './button-link.ts'
import { MailFiles } from './mail-files.tsx'
import classes from './mailbox.module.css'

const texts = accountTexts.admin

/** A mail as text, because its HTML is meant for mail programs. Only its own button can be clicked. */
export function MailDialog({ mail, onClose }: { mail: Mail; onClose: () => void }) {
  const link = buttonLinkOf(mail.html)
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
