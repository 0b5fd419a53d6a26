import {
  approveWholesaler,
  declineWholesaler,
  type Wholesaler,
} from '@keyturn/contract/accounts/endpoints.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { administratorKey } from '../../auth/remembered-person.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { QueryContent } from '../../components/lists/query-content.tsx'
import { OperatorOnly } from './administrators/operator-only.tsx'
import { focusTitleAround, ListSection } from './list-section.tsx'
import classes from './mailbox.module.css'
import { wholesalersQuery } from './queries.ts'
import { sortPendingFirst } from './sort-pending-first.ts'

const texts = accountTexts.admin

/** Wholesalers get their rights only once an administrator has approved them (R-accounts-1). */
export function WholesalersCard() {
  const wholesalers = useQuery(wholesalersQuery)
  return (
    <ListSection title={texts.waiting}>
      <QueryContent from={wholesalers} failed={texts.wholesalersFailed} skeletonRows={2}>
        {(list) =>
          // Takes only one line, so that the cards below are visible without scrolling.
          list.length === 0 ? (
            <Text c="dimmed">{texts.nobodyWaits}</Text>
          ) : (
            <ListTable
              label={texts.waiting}
              rows={sortPendingFirst(list, ({ declined }) => !declined)}
              columns={[
                { header: texts.columns.name, kind: 'title', cell: fullName },
                {
                  header: texts.columns.email,
                  cell: ({ email }) => <span className={classes.address}>{email}</span>,
                },
                { header: texts.columns.phone, cell: ({ phoneNumber }) => phoneNumber },
                { header: texts.columns.state, cell: stateOf },
                {
                  header: texts.columns.actions,
                  kind: 'action',
                  cell: (wholesaler) => (
                    <OperatorOnly>
                      <Decision wholesaler={wholesaler} />
                    </OperatorOnly>
                  ),
                },
              ]}
            />
          )
        }
      </QueryContent>
    </ListSection>
  )
}

function stateOf({ declined, verified }: Wholesaler): string {
  if (declined) return texts.declined
  return verified ? texts.waiting : texts.unverified
}

function Decision({ wholesaler }: { wholesaler: Wholesaler }) {
  const refresh = [[...administratorKey, 'wholesalers']]
  const name = fullName(wholesaler)
  const approve = useEndpointMutation(approveWholesaler, { refresh, success: texts.approved(name) })
  const decline = useEndpointMutation(declineWholesaler, { refresh, success: texts.wasDeclined(name) })
  const error = approve.error ?? decline.error
  const request = { params: { userId: wholesaler._id } }
  const labelFor = (verb: string) => `${verb} ${name}`
  const decide =
    ({ attempt }: typeof approve | typeof decline) =>
    ({ currentTarget }: MouseEvent<HTMLButtonElement>) =>
      attempt(request).then(focusTitleAround(currentTarget))
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <WorkButton aria-label={labelFor(texts.approve)} onClick={decide(approve)}>
          {texts.approve}
        </WorkButton>
        {!wholesaler.declined && (
          <WorkButton variant="default" aria-label={labelFor(texts.decline)} onClick={decide(decline)}>
            {texts.decline}
          </WorkButton>
        )}
      </Group>
      {error && <ErrorNotice>{error.message}</ErrorNotice>}
    </Stack>
  )
}
