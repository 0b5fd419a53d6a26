import type { PushDevice } from '@keyturn/contract/notifications/push.ts'
import { pushTexts as texts } from '@keyturn/contract/notifications/push-texts.ts'
import { formatDate } from '@keyturn/contract/shared/dates.ts'
import { Stack, Switch, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { announce } from '../../../components/feedback/notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { deviceKind, pushSupport } from '../../../pwa/push-device.ts'
import { KindPreferences } from '../kind-preferences.tsx'
import { DeviceTrouble } from './device-trouble.tsx'
import { devicesQuery, useThisDevice } from './use-this-device.ts'

/** Every browser that shows notifications, this one first (R-notifications-26). */
export function DevicesCard() {
  const found = useQuery(devicesQuery)
  const own = useThisDevice()
  return (
    <Card title={texts.title}>
      <Stack gap="md">
        <p>{texts.lead}</p>
        <QueryContent from={found} failed={texts.failed} skeletonRows={1}>
          {({ devices }) => (
            <Stack gap="md">
              <ThisDevice own={own} />
              {devices
                .filter(({ _id }) => _id !== own.device?._id)
                .map((device) => (
                  <OtherDevice key={device._id} device={device} own={own} />
                ))}
              {devices.length > 0 && <What />}
            </Stack>
          )}
        </QueryContent>
      </Stack>
    </Card>
  )
}

type Own = { own: ReturnType<typeof useThisDevice> }

function ThisDevice({ own: { device, isWorking, trouble, switchOn, switchOff } }: Own) {
  const support = pushSupport()
  const kind = deviceKind()
  const change = async () => {
    if (isWorking) return
    if (device) {
      if (await switchOff(device._id)) announce(texts.switchedOff)
    } else if (await switchOn()) announce(texts.switchedOn(kind))
  }
  // Shows the reason immediately where a click could not help.
  const why = trouble ?? (device || support === 'ready' ? null : support)
  return (
    <Stack gap="xs">
      <Switch
        label={texts.thisDevice(kind)}
        description={device ? factsOf(device) : undefined}
        checked={device !== undefined}
        // Not disabled while working, so that it keeps the focus.
        disabled={!device && support !== 'ready'}
        aria-busy={isWorking || undefined}
        onChange={change}
      />
      {why && <DeviceTrouble of={why} />}
    </Stack>
  )
}

function OtherDevice({ device, own }: Own & { device: PushDevice }) {
  const change = async () => {
    if (!own.isWorking && (await own.switchOff(device._id))) announce(texts.switchedOff)
  }
  return (
    <Switch
      label={device.name}
      description={texts.another(formatDate(device.addedAt))}
      checked
      aria-busy={own.isWorking || undefined}
      onChange={change}
    />
  )
}

const factsOf = ({ name, addedAt }: PushDevice) => `${name}. ${texts.since(formatDate(addedAt))}`

/** The same kinds as for email. They apply to all devices. */
const What = () => (
  <Stack gap="md" role="group" aria-label={texts.kindsTitle}>
    <Title order={3} size="h4">
      {texts.kindsTitle}
    </Title>
    <KindPreferences channel="push" />
    <p>{texts.kindsLead}</p>
  </Stack>
)
