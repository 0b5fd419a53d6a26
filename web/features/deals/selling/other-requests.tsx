import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { firstNameOf } from '@keyturn/contract/messages/rules.ts'
import { messagesTexts } from '@keyturn/contract/messages/texts.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { Button, Text } from '@mantine/core'
import { useHasDraft } from '../../../auth/use-draft.ts'
import { Money } from '../../../components/display/money.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { type Column, ListTable } from '../../../components/lists/list-table.tsx'
import { messageDraft } from '../../messages/composer.tsx'
import { WriteButton } from '../../messages/messages-button.tsx'
import { MessagesLink } from '../../messages/messages-link.tsx'
import { isPendingRequest, sortBestFirst } from './request-facts.ts'

type RequestsProps = { requests: readonly Request[] }

const otherRequestsId = 'other-requests'

export type RequestHandlers = {
  onOpenTimeline: (request: Request) => void
  onOpenMessages: (request: Request) => void
  /** The request whose messages are open. */
  messagesOf: string | undefined
}

/** Lists all requests but the confirmed one, with their messages (R-deals-85). */
export function OtherRequests({ requests, ...handlers }: RequestsProps & RequestHandlers) {
  if (requests.length === 0) return null
  const columns: Column<Request>[] = [
    { header: texts.buyer, kind: 'title', cell: ({ buyer }) => fullName(buyer) },
    { header: texts.offeredPrice, kind: 'number', cell: ({ price }) => <Money cents={price} /> },
    {
      header: texts.requestedAt,
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>,
    },
    { header: texts.status, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      header: texts.actions,
      kind: 'action',
      cell: (request) => <RequestButtons request={request} {...handlers} />,
    },
  ]
  return (
    <div id={otherRequestsId} tabIndex={-1}>
      <Card title={texts.otherRequests}>
        {requests.some(isPendingRequest) && <Text mb="md">{texts.otherRequestsLead}</Text>}
        <ListTable label={texts.otherRequests} rows={sortBestFirst(requests)} columns={columns} />
      </Card>
    </div>
  )
}

/** Links from the top of the page to new messages in these requests. */
export function NewMessagesFromOthers({ requests }: RequestsProps) {
  const count = requests.reduce((sum, { newMessages }) => sum + newMessages, 0)
  return (
    count > 0 && <MessagesLink placeId={otherRequestsId}>{messagesTexts.countOfOthers(count)}</MessagesLink>
  )
}

type RequestButtonsProps = RequestHandlers & { request: Request }

export function RequestButtons({ request, onOpenTimeline, onOpenMessages, messagesOf }: RequestButtonsProps) {
  const hasDraft = useHasDraft(messageDraft(request._id), messagesOf === request._id)
  return (
    <>
      <WriteButton
        size="sm"
        name={messagesTexts.write(firstNameOf(request.buyer))}
        fullName={fullName(request.buyer)}
        count={request.newMessages}
        hasDraft={hasDraft}
        onClick={() => onOpenMessages(request)}
      />
      <Button
        size="sm"
        variant="subtle"
        aria-label={texts.storyOf(fullName(request.buyer))}
        onClick={() => onOpenTimeline(request)}
      >
        {dealTexts.timeline.title}
      </Button>
    </>
  )
}
