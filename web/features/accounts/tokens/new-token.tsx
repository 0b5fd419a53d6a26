import { tokenTexts as texts } from '@keyturn/contract/accounts/token-texts.ts'
import { Button, Stack } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { announce } from '../../../components/feedback/notice.tsx'
import classes from './access-tokens.module.css'

/** Shows a new token. It is a form, so that a click beside the dialog does not lose the token. */
export function NewToken({ token, onClose }: { token: string; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const { copied: isCopied, error, copy, reset } = useClipboard({ timeout: 3000 })
  useEffect(() => {
    if (isCopied) announce(texts.copied)
  }, [isCopied])
  const copyToken = () => {
    // Without permission to use the clipboard, the token stays selected.
    field.current?.select()
    reset()
    copy(token)
  }
  return (
    <Dialog
      title={texts.doneTitle}
      onClose={onClose}
      onSubmit={onClose}
      trouble={error && <ErrorNotice>{texts.copyFailed}</ErrorNotice>}
      actions={
        <>
          <Button variant="default" type="submit">
            {texts.done}
          </Button>
          <Button onClick={copyToken}>{texts.copy}</Button>
        </>
      }
    >
      <Stack>
        <p>{texts.doneLead}</p>
        <input
          ref={field}
          className={classes.value}
          aria-label={texts.token}
          value={token}
          readOnly
          autoComplete="off"
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
        />
      </Stack>
    </Dialog>
  )
}
