import { type EmailQueue, type QueuedEmail, resendEmail } from '@keyturn/contract/accounts/email-endpoints.ts'
import { mailboxTexts } from '@keyturn/contract/accounts/mailbox-texts.ts'
import type { NotificationKind } from '@keyturn/contract/notifications/notification-kinds.ts'
import { preferencesTexts } from '@keyturn/contract/notifications/preferences-texts.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { administratorKey } from '../../auth/remembered-person.ts'
import { StatusBadge } from '../../components/display/status-badge.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { QueryContent } from '../../components/lists/query-content.tsx'
import { OperatorOnly } from './administrators/operator-only.tsx'
import { ListSection } from './list-section.tsx'
import classes from './mailbox.module.css'
import { emailQueueQuery } from './queries.ts'

const texts = mailboxTexts.queue

/** Emails that the mail server has not accepted, and why (R-notifications-15). */
export function EmailQueueCard() {
  const queue = useQuery(emailQueueQuery)
  return (
    <ListSection
      title={texts.title}
      lead={queue.data && texts.lead(queue.data.waiting, queue.data.failed)}
      action={
        <WorkButton variant="default" onClick={() => queue.refetch()}>
          {texts.refresh}
        </WorkButton>
      }
    >
      <QueryContent from={queue} failed={texts.failed}>
        {({ mails }) => <Queue mails={mails} />}
      </QueryContent>
    </ListSection>
  )
}

function Queue({ mails }: Pick<EmailQueue, 'mails'>) {
  if (mails.length === 0) return <p>{texts.empty}</p>
  return (
    <ListTable
      label={texts.title}
      rows={mails}
      columns={[
        {
          header: texts.columns.to,
          kind: 'title',
          cell: ({ to }) => <span className={classes.address}>{to}</span>,
        },
        { header: texts.columns.kind, cell: aboutOf },
        { header: texts.columns.state, cell: (mail) => <State mail={mail} /> },
        { header: texts.columns.why, cell: whyOf },
        {
          header: texts.columns.actions,
          kind: 'action',
          cell: (mail) => (
            <OperatorOnly>
              <SendAgain mail={mail} />
            </OperatorOnly>
          ),
        },
      ]}
    />
  )
}

const aboutOf = ({ kind }: QueuedEmail): string =>
  kind === null ? texts.account : (preferencesTexts.kinds[kind as NotificationKind]?.label ?? kind)

const faces = { WAITING: 'PENDING', HELD: 'PENDING', FAILED: 'REJECTED' } as const

function State({ mail: { state, nextTryAt, createdAt } }: { mail: QueuedEmail }) {
  return (
    <Stack gap={4} align="flex-start">
      <StatusBadge status={faces[state]} label={texts.states[state]} />
      <Text size="sm" c="dimmed">
        {nextTryAt ? texts.nextTry(formatDateTime(nextTryAt)) : texts.written(formatDateTime(createdAt))}
      </Text>
    </Stack>
  )
}

function whyOf({ state, tries, because }: QueuedEmail): string {
  if (state === 'HELD') return texts.held
  if (tries === 0) return because ?? texts.notTried
  return because === null ? texts.tries(tries) : `${texts.tries(tries)}: ${because}`
}

function SendAgain({ mail: { _id, to, state, canBeSentAgain } }: { mail: QueuedEmail }) {
  const again = useEndpointMutation(resendEmail, { refresh: [administratorKey], success: texts.queued })
  if (state !== 'FAILED') return null
  if (!canBeSentAgain)
    return (
      <Text size="sm" c="dimmed">
        {texts.noWords}
      </Text>
    )
  return (
    <Stack gap="xs">
      <WorkButton
        variant="default"
        aria-label={texts.sendAgainTo(to)}
        onClick={() => again.attempt({ params: { mailId: _id } })}
      >
        {texts.sendAgain}
      </WorkButton>
      {again.error && <ErrorNotice>{again.error.message}</ErrorNotice>}
    </Stack>
  )
}
