import { type AwaitedEvent, pushTexts as texts } from '@keyturn/contract/notifications/push-texts.ts'
import { Stack } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { isFocusLost } from '../../../components/feedback/focus.ts'
import { announce } from '../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { IconBell } from '../../../components/icons.tsx'
import { deviceKind, pushSupport } from '../../../pwa/push-device.ts'
import { DeviceTrouble } from './device-trouble.tsx'
import classes from './push-prompt.module.css'
import { useThisDevice } from './use-this-device.ts'

/**
 * Offers push notifications only where a person waits for the other side. No page asks for
 * permission when it loads (R-notifications-26).
 */
export function PushPrompt({ when }: { when: AwaitedEvent }) {
  const { device, isKnown, trouble, switchOn } = useThisDevice()
  const isOn = useFocusAfterAsking(device !== undefined)
  const support = pushSupport()
  const kind = deviceKind()
  if (!isKnown || support === 'unsupported' || support === 'insecure') return null
  if (device)
    return (
      <p ref={isOn.place} tabIndex={-1} className={classes.quiet}>
        {texts.isOn(kind)}
      </p>
    )
  const ask = async () => {
    isOn.asked()
    if (await switchOn()) announce(texts.switchedOn(kind))
  }
  return (
    <Stack gap="sm" className={classes.ask}>
      <WorkButton
        variant="default"
        className={classes.button}
        leftSection={<IconBell size={20} stroke={1.75} />}
        onClick={ask}
      >
        {texts.ask[when](kind)}
      </WorkButton>
      {trouble && <DeviceTrouble of={trouble} />}
    </Stack>
  )
}

/** Moves the focus from the pressed button to what replaces it. */
function useFocusAfterAsking(isThere: boolean) {
  const place = useRef<HTMLParagraphElement>(null)
  const hasAsked = useRef(false)
  useEffect(() => {
    if (isThere && hasAsked.current && isFocusLost()) place.current?.focus({ preventScroll: true })
  }, [isThere])
  return {
    place,
    asked: () => {
      hasAsked.current = true
    },
  }
}
