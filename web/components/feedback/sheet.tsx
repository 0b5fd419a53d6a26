import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { DialogHeader, useFocusBack } from './dialog.tsx'
import { guardPresses } from './guard-presses.ts'
import classes from './sheet.module.css'

type SheetProps = {
  title: string
  /** Escape closes only the dialog above the sheet; Mantine would close both. */
  isBelowDialog?: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * A panel as tall as the window: at the right edge, or over everything on a phone. Its children
 * share the height below the title. An element inside with `data-autofocus` gets the focus.
 */
export function Sheet({ title, isBelowDialog, onClose, children }: SheetProps) {
  useFocusBack()
  return (
    <Modal.Root
      opened
      onClose={onClose}
      closeOnEscape={!isBelowDialog}
      returnFocus={false}
      transitionProps={fade}
      classNames={classes}
    >
      <Modal.Overlay />
      <Modal.Content>
        <DialogHeader title={title} />
        <Modal.Body ref={guardPresses}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

const fade = { transition: 'fade', duration: 200 } as const
