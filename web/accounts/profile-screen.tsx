import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useUser } from '../session.tsx'
import { Card } from '../ui/card.tsx'
import { FactTable } from '../ui/fact-table.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { ProfileForm } from './profile-form.tsx'

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
      {user.pendingEmail && <Notice kind="waiting">{texts.pendingEmail(user.pendingEmail)}</Notice>}
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
