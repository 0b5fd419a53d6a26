import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.tsx'
import { WorkButton } from './work-button.tsx'

type ConfirmDialogProps = {
  title: string
  confirm: string
  cancel?: string
  working?: string
  danger?: boolean
  disabled?: boolean
  size?: 'sm' | 'md' | 'lg'
  /** The caller closes the dialog after success, because it often shows something else next. */
  onConfirm: () => unknown
  onClose: () => void
  /** Shown when `onConfirm` rejects; the dialog stays open. */
  failed?: string | ((error: unknown) => ReactNode)
  /** The caller's own message next to the buttons, where it says more than a failure would. */
  trouble?: ReactNode
  isOver?: boolean
  children?: ReactNode
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirm, cancel = texts.cancel, danger, failed, onConfirm, onClose } = props
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<ReactNode>(null)
  const act = async () => {
    setBusy(true)
    setTrouble(null)
    try {
      await onConfirm()
    } catch (error) {
      if (failed === undefined) throw error
      const content = typeof failed === 'function' ? failed(error) : failed
      setTrouble(typeof content === 'string' ? <Failure sentence={content} fault={error} /> : content)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      busy={isBusy}
      focusInside={!danger}
      size={props.size ?? 'sm'}
      trouble={props.trouble ?? trouble}
      actions={
        props.isOver ? (
          <Button onClick={onClose}>{texts.close}</Button>
        ) : (
          <>
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              {cancel}
            </Button>
            <WorkButton
              onClick={act}
              color={danger ? 'brick' : undefined}
              working={props.working}
              disabled={props.disabled}
              data-autofocus={danger ? undefined : true}
            >
              {confirm}
            </WorkButton>
          </>
        )
      }
    >
      {props.children}
    </Dialog>
  )
}
