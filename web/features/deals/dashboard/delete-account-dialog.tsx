import { logout } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { send } from '../../../api/send.ts'
import { useForgetPerson, useUser } from '../../../auth/session.tsx'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { isPasswordRequired, useCurrentPassword } from '../../accounts/use-current-password.tsx'

const texts = accountTexts.settings

/** Here because deleting an account depends on the deals; signing out follows (R-accounts-36). */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { _id, userType } = useUser()
  const forget = useForgetPerson()
  const password = useCurrentPassword(deleteUser)
  const erase = useEndpointMutation(deleteUser)
  const [isLeaving, setLeaving] = useState(false)
  const leave = async () => {
    const params = { userType, id: _id }
    const done = await password.sendWith((body) => erase.act({ params, body })).catch(() => undefined)
    if (!done) return
    setLeaving(true)
    // The session ended with the account; this only clears the cookies.
    await send(logout, {}).catch(() => {})
    await forget()
  }
  const isBusy = erase.isWorking || isLeaving
  return (
    <Dialog
      title={texts.deleteAccount}
      onClose={onClose}
      onSubmit={leave}
      busy={isBusy}
      size="sm"
      trouble={
        erase.error && !isPasswordRequired(erase.error) && <ErrorNotice>{erase.error.message}</ErrorNotice>
      }
      actions={
        <>
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            {texts.cancel}
          </Button>
          <WorkButton type="submit" color="brick" busy={isBusy}>
            {texts.delete}
          </WorkButton>
        </>
      }
    >
      <Stack>
        <p>{texts.deleteQuestion}</p>
        {password.field}
      </Stack>
    </Dialog>
  )
}
