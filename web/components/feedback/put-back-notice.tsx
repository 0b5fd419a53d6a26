import { Button } from '@mantine/core'
import { texts } from '../texts.ts'
import { restoreFocus } from './focus.ts'
import { Notice } from './notice.tsx'

/** Offers the values of a form that Try Again has emptied; undefined offers nothing. */
export function PutBackNotice({ onPutBack }: { onPutBack: (() => void) | undefined }) {
  if (!onPutBack) return null
  return (
    <Notice
      kind="info"
      action={
        <Button
          variant="default"
          size="sm"
          onClick={() => {
            onPutBack()
            restoreFocus()
          }}
        >
          {texts.putBack}
        </Button>
      }
    >
      {texts.emptied}
    </Notice>
  )
}
