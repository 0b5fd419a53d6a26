import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { handleReport, type Report } from '@keyturn/contract/messages/endpoints.ts'
import { messagesTexts } from '@keyturn/contract/messages/texts.ts'
import { formatDate } from '@keyturn/contract/shared/dates.ts'
import { Box, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { administratorKey } from '../../auth/remembered-person.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { OperatorOnly } from './administrators/operator-only.tsx'
import { ListSection } from './list-section.tsx'
import classes from './mailbox.module.css'
import { OpenPerson } from './people/open-person.tsx'
import { reportsQuery } from './queries.ts'
import { sortPendingFirst } from './sort-pending-first.ts'

const texts = messagesTexts.reports

/** Reported messages, unhandled ones first (R-deals-88). */
export function ReportsCard() {
  const all = useInfiniteQuery(reportsQuery)
  return (
    <ListSection title={texts.title} lead={texts.lead}>
      <PagedTable
        from={all}
        failed={texts.failed}
        empty={texts.empty}
        emptyPicture="papers"
        skeletonRows={2}
        label={texts.title}
        order={(rows) => sortPendingFirst(rows, isOpenReport)}
        isYourTurn={isOpenReport}
        columns={[
          {
            header: texts.columns.message,
            kind: 'title',
            cell: ({ text, car }) => (
              <Box maw="24rem">
                <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} dir="auto">
                  {text || messagesTexts.forgotten}
                </Text>
                <Text size="sm" c="dimmed">
                  {texts.about(car)}
                </Text>
              </Box>
            ),
          },
          {
            header: texts.columns.sender,
            cell: ({ sender, senderEmail }) => (
              <Box>
                {sender}
                <Text size="sm" c="dimmed" className={classes.address}>
                  {senderEmail}
                </Text>
              </Box>
            ),
          },
          {
            header: texts.columns.reason,
            cell: ({ reason }) => (
              <Text maw="18rem" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} dir="auto">
                {reason}
              </Text>
            ),
          },
          { header: texts.columns.at, cell: ({ reporter, at }) => texts.by(reporter, formatDate(at)) },
          { header: texts.columns.action, kind: 'action', cell: (report) => <Handling report={report} /> },
        ]}
      />
    </ListSection>
  )
}

const isOpenReport = ({ handledAt }: Report): boolean => handledAt === null

function Handling({ report: { _id, sender, senderId, handledAt } }: { report: Report }) {
  const handle = useEndpointMutation(handleReport, { refresh: [administratorKey], success: texts.handled })
  return (
    <Stack gap="xs">
      <OpenPerson id={senderId} label={suspensionTexts.people.openSenderOf(sender)}>
        {suspensionTexts.people.openSender}
      </OpenPerson>
      {handledAt ? (
        <Text size="sm">{texts.handledOn(formatDate(handledAt))}</Text>
      ) : (
        <OperatorOnly>
          <WorkButton
            variant="default"
            aria-label={texts.handleOf(sender)}
            onClick={() => handle.attempt({ params: { messageId: _id } })}
          >
            {texts.handle}
          </WorkButton>
        </OperatorOnly>
      )}
      {handle.error && <ErrorNotice>{handle.error.message}</ErrorNotice>}
    </Stack>
  )
}
