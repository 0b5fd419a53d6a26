import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { announce } from '../../../ui/feedback/notice.tsx'
import { IconCheck, IconCopy } from '../../../ui/icons.tsx'
import classes from './copy-link.module.css'

type CopyLinkProps = {
  link: string
  label: string
  copy: string
  copied: string
  variant: 'filled' | 'default'
}

/** The link with Copy beside it. */
export function CopyLink({ link, label, copy, copied, variant }: CopyLinkProps) {
  const { copied: isCopied, ...clipboard } = useClipboard({ timeout: 3000 })
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isCopied) announce(copied)
  }, [isCopied, copied])
  const take = () => {
    // Without permission for the clipboard, the link stays selected for copying by hand.
    field.current?.select()
    // A second copy is announced like the first.
    clipboard.reset()
    clipboard.copy(link)
  }
  return (
    <div className={classes.row}>
      <input
        ref={field}
        className={classes.link}
        aria-label={label}
        value={link}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button variant={variant} className={classes.button} onClick={take}>
        <span className={classes.faces}>
          <span data-off={isCopied || undefined} aria-hidden={isCopied}>
            <IconCopy size={18} stroke={1.75} />
            {copy}
          </span>
          <span data-off={!isCopied || undefined} aria-hidden={!isCopied}>
            <IconCheck size={18} stroke={1.75} />
            {copied}
          </span>
        </span>
      </Button>
    </div>
  )
}
