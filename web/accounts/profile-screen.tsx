import { sendVerification } from '@keyturn/contract/accounts/calls.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useAct } from '../decide/act.ts'
import { Failure } from '../ui/feedback/failure.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { WorkButton } from '../ui/feedback/work-button.tsx'
import { Card } from '../ui/frame/card.tsx'
import { Page } from '../ui/frame/page.tsx'
import { FactTable } from '../ui/lists/fact-table.tsx'
import { useUser } from '../who/session.tsx'
import { ProfileForm } from './profile-form.tsx'
import { ReturnedMailCard } from './returned-mail-card.tsx'

const texts = accountTexts.profile

export function ProfileScreen() {
  const user = useUser()
  const [isOpen, setOpen] = useState(false)
  return (
    <Page
      title={texts.title}
      width="wizard"
      action={<Button onClick={() => setOpen(true)}>{texts.edit}</Button>}
    >
      <ReturnedMailCard onProfile />
      {user.pendingEmail && <PendingEmail key={user.pendingEmail} address={user.pendingEmail} />}
      <Card>
        <FactTable
          facts={[
            { term: texts.name, value: fullName(user) },
            { term: texts.email, value: user.email },
            { term: texts.phone, value: user.phoneNumber },
          ]}
        />
      </Card>
      {isOpen && <ProfileForm user={user} onClose={() => setOpen(false)} />}
    </Page>
  )
}

/** A mail may get lost on its way to a new address, too. */
function PendingEmail({ address }: { address: string }) {
  const resend = useAct(sendVerification)
  return (
    <Stack gap="xs">
      <Notice
        kind="waiting"
        action={
          <WorkButton
            variant="default"
            size="sm"
            working={accountTexts.verify.sending}
            onClick={() => resend.attempt({ body: { email: address } })}
          >
            {accountTexts.verify.resend}
          </WorkButton>
        }
      >
        {texts.pendingEmail(address)}
      </Notice>
      {resend.refusal && <Failure sentence={accountTexts.verify.sendFailed} fault={resend.refusal} />}
      {resend.done && (
        <Notice kind="good" title={accountTexts.verify.sent(address)}>
          {accountTexts.verify.onlyNewest}
        </Notice>
      )}
    </Stack>
  )
}
