import { Modal } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import classes from './dialog.module.css'
import { restoreFocus } from './focus.ts'
import { guardPresses } from './guard-presses.ts'
import { useScrollToNewContent } from './use-scroll-to-new-content.ts'

type DialogProps = {
  title: string
  onClose: () => void
  /** Buttons, with the primary one last. */
  actions?: ReactNode
  busy?: boolean
  size?: 'sm' | 'md' | 'lg'
  /** Makes the dialog a form: Enter submits it, and a click outside does not close it. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => unknown
  trouble?: ReactNode
  /** Set if an element inside has `data-autofocus`; otherwise the title gets the focus. */
  focusInside?: boolean
  children?: ReactNode
}

/** The base of all dialogs. Render it only while open: `{open && <Dialog …/>}`. */
export function Dialog(props: DialogProps) {
  const { title, onClose, actions, busy, size = 'md', onSubmit, trouble, focusInside, children } = props
  const news = useScrollToNewContent<HTMLDivElement>()
  useFocusBack()
  const inside = (
    <>
      <div ref={guardPresses} className={classes.words}>
        {children}
        <div ref={news} className={classes.trouble}>
          {trouble}
        </div>
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </>
  )
  return (
    <Modal.Root
      opened
      onClose={busy ? keepOpen : onClose}
      size={widths[size]}
      returnFocus={false}
      closeOnClickOutside={!busy && !onSubmit}
      closeOnEscape={!busy}
      classNames={classes}
    >
      <Modal.Overlay />
      <Modal.Content>
        <DialogHeader title={title} hasFocus={!focusInside} />
        <Modal.Body>
          {onSubmit ? (
            <form
              noValidate
              onSubmit={(event) => {
                event.preventDefault()
                // React bubbles events from a dialog to the form that opened it, although they are
                // not nested in the document.
                event.stopPropagation()
                if (!busy) onSubmit(event)
              }}
            >
              {inside}
            </form>
          ) : (
            inside
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** The element would otherwise count as a second banner of the page. */
export const DialogHeader = ({ title, hasFocus }: { title: string; hasFocus?: boolean }) => (
  <Modal.Header role="presentation">
    <Modal.Title tabIndex={-1} data-autofocus={hasFocus || undefined}>
      {title}
    </Modal.Title>
    <Modal.CloseButton />
  </Modal.Header>
)

const widths = { sm: '26rem', md: '34rem', lg: '48rem' }
const keepOpen = () => {}

/**
 * When the dialog closes or unmounts, returns the focus to the element that opened it, or to the
 * page's title if that element is gone.
 */
export function useFocusBack() {
  const [opener] = useState(() => (typeof document === 'undefined' ? null : document.activeElement))
  useEffect(() => () => restoreFocus(opener), [opener])
}
