import { readPresence, setPresenceShown } from '@keyturn/contract/accounts/endpoints.ts'
import { presenceTexts as texts } from '@keyturn/contract/deals/presence/presence-texts.ts'
import { Stack, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { endpointQuery } from '../../api/queries.ts'
import { Failure } from '../../components/feedback/failure.tsx'
import { Card } from '../../components/layout/card.tsx'
import { QueryContent } from '../../components/lists/query-content.tsx'

const presenceQuery = endpointQuery(readPresence, ['accounts', 'presence'])

/** Lets a person choose whether the other party sees that they have the deal open (R-deals-82). */
export function PresenceCard() {
  const client = useQueryClient()
  const found = useQuery(presenceQuery)
  const show = useEndpointMutation(setPresenceShown, {
    onDone: (saved) => client.setQueryData(presenceQuery.queryKey, saved),
  })
  return (
    <Card title={texts.title}>
      <QueryContent from={found} failed={texts.failed} skeletonRows={1}>
        {({ isShown }) => (
          <Stack gap="md">
            <p>{texts.lead}</p>
            <Switch
              label={texts.isShown}
              description={isShown ? undefined : texts.off}
              checked={isShown}
              disabled={show.isWorking}
              onChange={() => show.attempt({ body: { isShown: !isShown } })}
            />
            {show.error && <Failure sentence={texts.notSaved} fault={show.error} />}
          </Stack>
        )}
      </QueryContent>
    </Card>
  )
}
