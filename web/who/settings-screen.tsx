import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { ChangePasswordForm } from '../accounts/change-password-form.tsx'
import { ReturnedMailCard } from '../accounts/returned-mail-card.tsx'
import { ConsentCard } from '../deals/agreement/consent-card.tsx'
import { DeleteAccountDialog } from '../deals/home/delete-account-dialog.tsx'
import { PresenceCard } from '../deals/presence-card.tsx'
import { MailSwitchesCard } from '../notifications/mail-switches-card.tsx'
import { DevicesCard } from '../notifications/push/devices-card.tsx'
import { Card } from '../ui/frame/card.tsx'
import { Page } from '../ui/frame/page.tsx'
import { useUser } from './session.tsx'

const texts = accountTexts.settings

/** /settings is above the rooms: the password belongs to accounts, deleting the account to deals. */
export function SettingsScreen() {
  const { userType } = useUser()
  const [open, setOpen] = useState<'password' | 'delete' | null>(null)
  const close = () => setOpen(null)
  return (
    <Page title={texts.title} width="wizard">
      <ReturnedMailCard />
      <Card
        title={texts.passwordTitle}
        action={<Button onClick={() => setOpen('password')}>{texts.changePassword}</Button>}
      >
        <p>{texts.passwordLead}</p>
      </Card>
      <MailSwitchesCard />
      <DevicesCard />
      {userType !== 'WHOLESALER' && (
        <>
          <ConsentCard />
          <PresenceCard />
        </>
      )}
      <Card
        title={texts.deleteTitle}
        action={
          <Button variant="outline" color="brick" onClick={() => setOpen('delete')}>
            {texts.deleteAccount}
          </Button>
        }
      >
        <p>{texts.deleteLead}</p>
      </Card>
      {open === 'password' && <ChangePasswordForm onClose={close} />}
      {open === 'delete' && <DeleteAccountDialog onClose={close} />}
    </Page>
  )
}
