import type { Mail } from '@keyturn/contract/accounts/calls.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { formatDateTime } from '@keyturn/contract/kit/dates.ts'
import { Button } from '@mantine/core'
import { Dialog } from '../ui/dialog.tsx'
import { FactTable } from '../ui/fact-table.tsx'
import { linksIn } from './links-in.ts'
import classes from './mailbox.module.css'

const texts = accountTexts.admin

/** A mail as text, because its HTML was written for other programs; its links are buttons. */
export function MailDialog({ mail, onClose }: { mail: Mail; onClose: () => void }) {
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
          {linksIn(mail.text).map((link) => (
            <Button key={link} component="a" href={link}>
              {texts.openLink}
            </Button>
          ))}
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
    </Dialog>
  )
}
