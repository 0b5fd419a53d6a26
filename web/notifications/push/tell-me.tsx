// Also for the screens of deals and trades on which somebody waits.
import { type Awaited, pushTexts as texts } from '@keyturn/contract/notifications/push-texts.ts'
import { Button, Stack } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { deviceKind, pushSupport } from '../../installed/own-device.ts'
import { announce } from '../../ui/feedback/notice.tsx'
import { DeviceTrouble } from './device-trouble.tsx'
import classes from './tell-me.module.css'
import { useThisDevice } from './this-device.ts'

/** Offered where somebody waits for the other side, and not before: nobody is asked for leave by a page that opens (R-notifications-26). */
export function TellMe({ when }: { when: Awaited }) {
  const { device, isKnown, trouble, isWorking, switchOn } = useThisDevice()
  const support = pushSupport()
  const kind = deviceKind()
  if (!isKnown || support === 'unsupported' || support === 'insecure') return null
  if (device) return <p className={classes.quiet}>{texts.isOn(kind)}</p>
  const ask = async () => {
    if (await switchOn()) announce(texts.switchedOn(kind))
  }
  return (
    <Stack gap="sm" className={classes.ask}>
      <Button
        variant="default"
        className={classes.button}
        leftSection={<IconBell size={20} stroke={1.75} aria-hidden />}
        disabled={isWorking}
        onClick={ask}
      >
        {texts.ask[when](kind)}
      </Button>
      {trouble && <DeviceTrouble of={trouble} />}
    </Stack>
  )
}
