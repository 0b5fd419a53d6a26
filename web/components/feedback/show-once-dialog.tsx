import { Button, Stack } from '@mantine/core'
import { useRef } from 'react'
import { Dialog } from './dialog.tsx'
import { ErrorNotice } from './error-notice.tsx'
import classes from './show-once-dialog.module.css'
import { useCopy } from './use-copy.ts'

type ShowOnceDialogProps = {
  title: string
  lead: string
  /** What `value` is, for screen readers. */
  label: string
  value: string
  texts: { copy: string; copied: string; copyFailed: string; done: string }
  onClose: () => void
}

/**
 * Shows a secret of which the server stores only the digest. It is a form, so that a click beside the
 * dialog does not lose the secret.
 */
export function ShowOnceDialog({ title, lead, label, value, texts, onClose }: ShowOnceDialogProps) {
  const field = useRef<HTMLInputElement>(null)
  const { error, isCopied, copy } = useCopy(value, texts.copied)
  const copyValue = () => {
    // Without permission to use the clipboard, the value stays selected.
    field.current?.select()
    copy()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={onClose}
      trouble={error && <ErrorNotice>{texts.copyFailed}</ErrorNotice>}
      actions={
        <>
          <Button variant="default" type="submit">
            {texts.done}
          </Button>
          <Button onClick={copyValue}>{isCopied ? texts.copied : texts.copy}</Button>
        </>
      }
    >
      <Stack>
        <p>{lead}</p>
        <input
          ref={field}
          className={classes.value}
          aria-label={label}
          value={value}
          readOnly
          autoComplete="off"
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
          // Enter would close the form, and lose the secret.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </Stack>
    </Dialog>
  )
}
