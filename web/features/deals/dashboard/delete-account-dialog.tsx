import { logout } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { blockingCar, deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { send } from '../../../api/send.ts'
import { useForgetPerson, useUser } from '../../../auth/session.tsx'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'
import { isPasswordRequired, useCurrentPassword } from '../../accounts/use-current-password.tsx'
import { SaveAgreements } from '../../agreements/signed/save-agreements.tsx'

const texts = accountTexts.settings

/**
 * Deletes the account and signs out (R-accounts-36). It belongs to deals, because a deal can
 * prevent it.
 */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { _id, userType } = useUser()
  const forget = useForgetPerson()
  const password = useCurrentPassword(deleteUser)
  const deletion = useEndpointMutation(deleteUser)
  const [isSigningOut, setSigningOut] = useState(false)
  const deleteAccount = async () => {
    const params = { userType, id: _id }
    const done = await password.sendWith((body) => deletion.act({ params, body })).catch(() => undefined)
    if (!done) return
    setSigningOut(true)
    // Only clears the cookies, because the session ended with the account.
    await send(logout, {}).catch(() => {})
    await forget()
  }
  const isBusy = deletion.isWorking || isSigningOut
  return (
    <Dialog
      title={texts.deleteAccount}
      onClose={onClose}
      onSubmit={deleteAccount}
      busy={isBusy}
      size="sm"
      trouble={
        deletion.error &&
        !isPasswordRequired(deletion.error) && (
          <ErrorNotice action={<BlockingSale fault={deletion.error} me={_id} />}>
            {deletion.error.message}
          </ErrorNotice>
        )
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
        <SaveAgreements />
        {password.field}
      </Stack>
    </Dialog>
  )
}

/** Leads to the sale that has to end first. */
function BlockingSale({ fault, me }: { fault: ApiError; me: string }) {
  const { data: car } = blockingCar.safeParse(fault.current)
  if (!car) return null
  return (
    <LinkButton
      variant="default"
      to={car.sellerId === me ? '/car/seller' : '/buyer'}
      search={{ userId: car.sellerId, vin: car.vin }}
    >
      {texts.toSale}
    </LinkButton>
  )
}
