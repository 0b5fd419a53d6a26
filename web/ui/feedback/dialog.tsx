import { Modal } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useSide } from '../frame/side.tsx'
import classes from './dialog.module.css'
import { isFocusLost } from './focus.ts'
import { useNewsInView } from './use-news-in-view.ts'

type DialogProps = {
  title: string
  onClose: () => void
  /** Buttons, the primary one last. */
  actions?: ReactNode
  /** While it works it cannot be closed. */
  busy?: boolean
  size?: 'sm' | 'md' | 'lg'
  /** Makes the dialog a form: Enter sends it, and a click beside it does not throw away what was typed. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => unknown
  trouble?: ReactNode
  /** Something inside carries `data-autofocus`; else the title takes the focus, to be read first. */
  focusInside?: boolean
  children?: ReactNode
}

/** The one dialog. Render it while it is open: `{open && <Dialog …/>}`. */
export function Dialog({
  title,
  onClose,
  actions,
  busy,
  size = 'md',
  onSubmit,
  trouble,
  focusInside,
  children,
}: DialogProps) {
  const side = useSide()
  const news = useNewsInView<HTMLDivElement>()
  useFocusBack()
  const inside = (
    <>
      <div className={classes.words}>
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
      data-side={side}
    >
      <Modal.Overlay />
      <Modal.Content>
        {/* Without a role of its own it would be a second banner of the page. */}
        <Modal.Header role="presentation">
          <Modal.Title tabIndex={-1} data-autofocus={focusInside ? undefined : true}>
            {title}
          </Modal.Title>
          <Modal.CloseButton />
        </Modal.Header>
        <Modal.Body>
          {onSubmit ? (
            <form
              noValidate
              onSubmit={(event) => {
                event.preventDefault()
                // A dialog opened from inside a form is its child in React's eyes, though not in the document's.
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

const widths = { sm: '26rem', md: '34rem', lg: '48rem' }
const keepOpen = () => {}

/**
 * Closing gives the focus back to what opened it, or to the title of a page on which that is gone; being unmounted is
 * closing, too.
 */
function useFocusBack() {
  const [opener] = useState(() => (typeof document === 'undefined' ? null : document.activeElement))
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (!isFocusLost()) return
        const place = opener?.isConnected ? opener : document.querySelector('h1[tabindex]')
        if (place instanceof HTMLElement) place.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}
