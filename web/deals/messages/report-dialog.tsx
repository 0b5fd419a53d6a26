import { type Message, reportMessage } from '@keyturn/contract/deals/messages/calls.ts'
import { messagesTexts } from '@keyturn/contract/deals/messages/messages-texts.ts'
import { mostOfReason } from '@keyturn/contract/deals/messages/rules.ts'
import { Stack } from '@mantine/core'
import { useState } from 'react'
import { useAct } from '../../decide/act.ts'
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { TextAreaField } from '../../ui/fields/text-field.tsx'
import { messagesQuery } from '../queries.ts'

const texts = messagesTexts.report

type ReportDialogProps = { dealId: string; message: Message; onClose: () => void }

/** To the administrator; the other side is not told (R-deals-88). */
export function ReportDialog({ dealId, message, onClose }: ReportDialogProps) {
  const [reason, setReason] = useState('')
  const { act } = useAct(reportMessage, {
    refresh: [messagesQuery(dealId).queryKey],
    said: texts.sent,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={texts.title}
      confirm={texts.send}
      disabled={reason.trim() === ''}
      failed={texts.failed}
      onConfirm={() => act({ params: { dealId, messageId: message._id }, body: { reason } })}
      onClose={onClose}
    >
      <Stack gap="md">
        <p>{texts.lead}</p>
        <TextAreaField
          label={texts.reason}
          value={reason}
          maxLength={mostOfReason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmDialog>
  )
}
