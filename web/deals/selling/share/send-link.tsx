import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { hasSheet, type Invitation, openSheet } from '../../../cars/invitation.ts'
import { IconShare2 } from '../../../ui/icons.tsx'
import { CopyLink } from './copy-link.tsx'

const texts = carTexts.share

type SendLinkProps = {
  invitation: Invitation
  /** Sending the link is what the seller needs to do now. */
  isNext: boolean
}

/** The way to the buyer: the device's own share sheet where there is one, and the link to copy. */
export function SendLink({ invitation, isNext }: SendLinkProps) {
  const [bySheet, setBySheet] = useState(() => hasSheet(navigator))
  const primary = isNext ? 'filled' : 'default'
  const send = async () => setBySheet(await openSheet(navigator, invitation))
  return (
    <>
      {bySheet && (
        <Button
          fullWidth
          variant={primary}
          leftSection={<IconShare2 size={18} stroke={1.75} />}
          onClick={send}
        >
          {texts.send}
        </Button>
      )}
      <CopyLink
        link={invitation.url}
        label={texts.linkLabel}
        copy={texts.copy}
        copied={texts.copied}
        variant={bySheet ? 'default' : primary}
      />
    </>
  )
}
