import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Button } from '@mantine/core'
import { usePrefetchQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '../components/layout/card.tsx'
import { Page } from '../components/layout/page.tsx'
import { texts as shared } from '../components/texts.ts'
import { ColorSchemeControl } from '../components/theme/color-scheme-control.tsx'
import { BouncedEmailCard } from '../features/accounts/bounced-email-card.tsx'
import { ChangePasswordForm } from '../features/accounts/change-password-form.tsx'
import { PasskeysCard } from '../features/accounts/passkeys/passkeys-card.tsx'
import { SessionsCard } from '../features/accounts/privacy/sessions-card.tsx'
import { YourDataCard } from '../features/accounts/privacy/your-data-card.tsx'
import { AccessTokensCard } from '../features/accounts/tokens/access-tokens-card.tsx'
import { ConsentCard } from '../features/agreements/consent-card.tsx'
import { DeleteAccountDialog } from '../features/deals/dashboard/delete-account-dialog.tsx'
import { PresenceCard } from '../features/deals/presence-card.tsx'
import { ownAgreementsQuery } from '../features/deals/queries.ts'
import { EmailPreferencesCard } from '../features/notifications/email-preferences-card.tsx'
import { DevicesCard } from '../features/notifications/push/devices-card.tsx'
import { useUser } from './session.tsx'

const texts = accountTexts.settings

/** /settings combines modules: the password belongs to accounts, deleting the account to deals. */
export function SettingsScreen() {
  const { userType } = useUser()
  const [open, setOpen] = useState<'password' | 'delete' | null>(null)
  const close = () => setOpen(null)
  // The dialog lists them above its buttons, which must not move.
  usePrefetchQuery(ownAgreementsQuery)
  return (
    <Page title={texts.title} width="wizard">
      <BouncedEmailCard />
      <Card
        title={texts.passwordTitle}
        action={<Button onClick={() => setOpen('password')}>{texts.changePassword}</Button>}
      >
        <p>{texts.passwordLead}</p>
      </Card>
      <PasskeysCard />
      <SessionsCard />
      <EmailPreferencesCard />
      <DevicesCard />
      <Card title={shared.colorScheme}>
        <ColorSchemeControl />
      </Card>
      {userType !== 'WHOLESALER' && (
        <>
          <ConsentCard />
          <PresenceCard />
          <AccessTokensCard />
        </>
      )}
      <YourDataCard />
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
