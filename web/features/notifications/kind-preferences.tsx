import type { Channel } from '@keyturn/contract/notifications/notification-kinds.ts'
import {
  type Preferences,
  readPreferences,
  setPreference,
} from '@keyturn/contract/notifications/preferences.ts'
import { preferencesTexts as texts } from '@keyturn/contract/notifications/preferences-texts.ts'
import { Stack, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { endpointQuery } from '../../api/queries.ts'
import { Failure } from '../../components/feedback/failure.tsx'
import { announce } from '../../components/feedback/notice.tsx'
import { QueryContent } from '../../components/lists/query-content.tsx'

const preferencesQuery = endpointQuery(readPreferences, ['notifications', 'switches'])

/** One channel's preferences by kind (R-notifications-22). */
export function KindPreferences({ channel }: { channel: Channel }) {
  const found = useQuery(preferencesQuery)
  return (
    <QueryContent from={found} failed={texts.failed} skeletonRows={3}>
      {({ switches }) => (
        <Stack gap="md">
          {switches.map((one) => (
            <KindPreference key={one.kind} kind={one.kind} channel={channel} isOn={one[channel]} />
          ))}
        </Stack>
      )}
    </QueryContent>
  )
}

type KindSwitchProps = Pick<Preferences['switches'][number], 'kind'> & { channel: Channel; isOn: boolean }

function KindPreference({ kind, channel, isOn }: KindSwitchProps) {
  const client = useQueryClient()
  const { label, hint } = texts.kinds[kind]
  const change = useEndpointMutation(setPreference, {
    onDone: (saved) => {
      client.setQueryData(preferencesQuery.queryKey, saved)
      announce(texts.saved)
    },
  })
  return (
    <Stack gap="xs">
      <Switch
        label={label}
        description={hint}
        checked={isOn}
        disabled={change.isWorking}
        onChange={({ currentTarget }) =>
          change.attempt({ body: { kind, channel, isOn: currentTarget.checked } })
        }
      />
      {change.error && <Failure sentence={texts.notSaved} fault={change.error} />}
    </Stack>
  )
}
