// Also for the settings.
import { readSwitches, type Switches, setSwitch } from '@keyturn/contract/notifications/switches.ts'
import { switchesTexts as texts } from '@keyturn/contract/notifications/switches-texts.ts'
import { Stack, Switch } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useAct } from '../decide/act.ts'
import { Failure } from '../ui/feedback/failure.tsx'
import { announce } from '../ui/feedback/notice.tsx'
import { Card } from '../ui/frame/card.tsx'
import { Loaded } from '../ui/lists/loaded.tsx'
import { send } from '../wire/send.ts'

const switchesQuery = queryOptions({
  queryKey: ['notifications', 'switches'],
  queryFn: ({ signal }) => send(readSwitches, {}, { signal }),
})

/** Which mails somebody gets, kind by kind; what cannot be switched off, and why (R-notifications-22). */
export function MailSwitchesCard() {
  const found = useQuery(switchesQuery)
  return (
    <Card title={texts.title}>
      <Stack gap="md">
        <p>{texts.lead}</p>
        <Loaded from={found} failed={texts.failed} skeletonRows={3}>
          {({ switches }) => (
            <Stack gap="md">
              {switches.map((one) => (
                <MailSwitch key={one.kind} of={one} />
              ))}
            </Stack>
          )}
        </Loaded>
        <p>{texts.alwaysWhy}</p>
      </Stack>
    </Card>
  )
}

function MailSwitch({ of: { kind, mail } }: { of: Switches['switches'][number] }) {
  const client = useQueryClient()
  const { label, hint } = texts.kinds[kind]
  const change = useAct(setSwitch, {
    onDone: (saved) => {
      client.setQueryData(switchesQuery.queryKey, saved)
      announce(texts.saved)
    },
  })
  return (
    <Stack gap="xs">
      <Switch
        label={label}
        description={hint}
        checked={mail}
        disabled={change.isWorking}
        onChange={({ currentTarget }) =>
          change.attempt({ body: { kind, channel: 'mail', isOn: currentTarget.checked } })
        }
      />
      {change.refusal && <Failure sentence={texts.notSaved} fault={change.refusal} />}
    </Stack>
  )
}
