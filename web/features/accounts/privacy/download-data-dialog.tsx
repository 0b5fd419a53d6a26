import { exportData } from '@keyturn/contract/accounts/privacy/endpoints.ts'
import { privacyTexts } from '@keyturn/contract/accounts/privacy/privacy-texts.ts'
import type { DataFormat } from '@keyturn/contract/accounts/privacy/rules.ts'
import { ApiError } from '@keyturn/contract/shared/error.ts'
import { Stack } from '@mantine/core'
import { useState } from 'react'
import { fetchDocument } from '../../../api/send.ts'
import { downloadFile } from '../../../components/download-file.ts'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { announce } from '../../../components/feedback/notice.tsx'
import { useCurrentPassword } from '../use-current-password.tsx'

const texts = privacyTexts.download

/** Asks for the current password only if the server requires it (R-accounts-50). */
export function DownloadDataDialog({ format, onClose }: { format: DataFormat; onClose: () => void }) {
  const password = useCurrentPassword(exportData)
  const [isWorking, setWorking] = useState(false)
  const [fault, setFault] = useState<unknown>(null)
  const download = async () => {
    setWorking(true)
    setFault(null)
    try {
      const file = await password.sendWith((given) =>
        fetchDocument(exportData, { body: { format, ...given } }),
      )
      if (!file) return
      downloadFile(file, texts.fileNames[format])
      announce(texts.done)
      onClose()
    } catch (error) {
      setFault(error)
    } finally {
      setWorking(false)
    }
  }
  return (
    <Dialog
      title={texts.dialogTitle}
      onClose={onClose}
      onSubmit={download}
      busy={isWorking}
      size="sm"
      trouble={
        fault !== null && (
          <Failure sentence={fault instanceof ApiError ? fault.message : texts.failed} fault={fault} />
        )
      }
      actions={
        <FormActions busy={isWorking} onCancel={onClose} cancel={texts.cancel} working={texts.working}>
          {texts.download}
        </FormActions>
      }
    >
      <Stack>
        <p>{texts.dialogLead}</p>
        {password.field}
      </Stack>
    </Dialog>
  )
}
