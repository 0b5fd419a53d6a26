import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useRef } from 'react'
import { announce, useBriefly } from '../../../ui/feedback/notice.tsx'
import classes from './copy-link.module.css'

type CopyLinkProps = { link: string; label: string; copy: string; copied: string }

/** The link with Copy beside it. */
export function CopyLink({ link, label, copy, copied }: CopyLinkProps) {
  const [isCopied, showCopied] = useBriefly(3000)
  const field = useRef<HTMLInputElement>(null)
  const take = async () => {
    field.current?.select()
    try {
      await navigator.clipboard.writeText(link)
    } catch {
      // Without leave to write, the link stays selected for a copy by hand.
      return
    }
    showCopied()
    announce(copied)
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
      <Button variant="default" className={classes.button} onClick={take}>
        <span className={classes.faces}>
          <span data-off={isCopied || undefined} aria-hidden={isCopied}>
            <IconCopy size={18} stroke={1.75} aria-hidden />
            {copy}
          </span>
          <span data-off={!isCopied || undefined} aria-hidden={!isCopied}>
            <IconCheck size={18} stroke={1.75} aria-hidden />
            {copied}
          </span>
        </span>
      </Button>
    </div>
  )
}
