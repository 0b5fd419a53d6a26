import { useClipboard } from '@mantine/hooks'
import { useEffect } from 'react'
import { announce } from './notice.tsx'

/** Copies `text`, and announces `copied` each time. `isCopied` is true for three seconds. */
export function useCopy(text: string, copied: string) {
  const { copied: isCopied, error, copy, reset } = useClipboard({ timeout: 3000 })
  useEffect(() => {
    if (isCopied) announce(copied)
  }, [isCopied, copied])
  return {
    isCopied,
    error,
    copy: () => {
      // Reset, so that copying again is announced again.
      reset()
      copy(text)
    },
  }
}
