import { logout } from '@keyturn/contract/accounts/calls.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { deleteUser } from '@keyturn/contract/deals/calls.ts'
import { useAct } from '../act.ts'
import { send } from '../send.ts'
import { useForget, useUser } from '../session.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

const texts = accountTexts.settings

/** Deleting an account asks the deals first, so it lives here; signing out follows (1 s7). */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { _id, userType } = useUser()
  const forget = useForget()
  const erase = useAct(deleteUser)
  const confirm = async () => {
    await erase.act({ params: { userType, id: _id } })
    // The session ended with the account; this only takes the cookies away.
    await send(logout, {}).catch(() => {})
    await forget()
  }
  return (
    <ConfirmDialog
      title={texts.deleteAccount}
      confirm={texts.delete}
      cancel={texts.cancel}
      danger
      onConfirm={confirm}
      onClose={onClose}
      failed={(error) => (error instanceof Error ? error.message : texts.failed)}
    >
      {texts.deleteQuestion}
    </ConfirmDialog>
  )
}
