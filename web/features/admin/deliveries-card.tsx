import { type Delivery, replayDelivery } from '@keyturn/contract/dealers/endpoints.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { administratorKey } from '../../auth/remembered-person.ts'
import { StatusBadge } from '../../components/display/status-badge.tsx'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { FactTable } from '../../components/lists/fact-table.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { OperatorOnly } from './administrators/operator-only.tsx'
import { sendLabel } from './delivery-moves.ts'
import { ListSection } from './list-section.tsx'
import classes from './mailbox.module.css'
import { deliveriesQuery } from './queries.ts'
import { sortPendingFirst } from './sort-pending-first.ts'

const texts = dealersTexts.deliveries
type Try = Delivery['tries'][number]

/** Deliveries to dealers with every attempt, failed ones first (R-deals-74). */
export function DeliveriesCard() {
  const all = useInfiniteQuery(deliveriesQuery)
  const [open, setOpen] = useState<Delivery | null>(null)
  return (
    <ListSection title={texts.title} lead={texts.lead}>
      <PagedTable
        from={all}
        failed={texts.failed}
        empty={texts.empty}
        emptyPicture="papers"
        skeletonRows={2}
        label={texts.title}
        order={(rows) => sortPendingFirst(rows, waitsForUs)}
        isYourTurn={waitsForUs}
        columns={[
          { header: texts.columns.what, kind: 'title', cell: nameOf },
          { header: texts.columns.dealer, cell: ({ dealer }) => dealer },
          { header: texts.columns.state, cell: (delivery) => <State delivery={delivery} /> },
          { header: texts.columns.tries, cell: lastTry },
          {
            header: texts.columns.actions,
            kind: 'action',
            cell: (delivery) => <Actions delivery={delivery} onOpen={() => setOpen(delivery)} />,
          },
        ]}
      />
      {open && <AttemptsDialog delivery={open} onClose={() => setOpen(null)} />}
    </ListSection>
  )
}

const waitsForUs = ({ state, kind }: Delivery): boolean => state === 'PARKED' && kind !== 'test'

const nameOf = ({ kind, car }: Delivery): string => {
  const word = texts.kinds[kind]
  return car === null ? word : `${word}: ${car}`
}

function State({ delivery: { state, way, nextTryAt } }: { delivery: Delivery }) {
  return (
    <Stack gap={4} align="flex-start">
      <StatusBadge status={faces[state]} label={texts.states[state]} />
      <Text size="sm" c="dimmed">
        {nextTryAt
          ? texts.nextTry(formatDateTime(nextTryAt))
          : way === 'mail'
            ? texts.byMail
            : texts.bySystem}
      </Text>
    </Stack>
  )
}

const faces = { WAITING: 'PENDING', DELIVERED: 'ACCEPTED', PARKED: 'REJECTED' } as const

function lastTry({ tries: [last], state, wasTried }: Delivery): string {
  if (!last && wasTried) return texts.removed
  if (!last) return state === 'PARKED' ? texts.nowhere : texts.notTried
  return `${wordsOf(last)}, ${formatDateTime(last.at)}`
}

const wordsOf = ({ status, because }: Try): string => {
  if (because === null) return texts.taken
  return status === null ? because : texts.status(status, because)
}

function Actions({ delivery, onOpen }: { delivery: Delivery; onOpen: () => void }) {
  const { _id, state, tries } = delivery
  const word = sendLabel(delivery)
  const name = nameOf(delivery)
  const replay = useEndpointMutation(replayDelivery, { refresh: [administratorKey], success: texts.replayed })
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {tries.length > 0 && (
          <Button variant="default" aria-label={dealersTexts.list.of(texts.tries, name)} onClick={onOpen}>
            {texts.tries}
          </Button>
        )}
        {word && (
          <OperatorOnly>
            <WorkButton
              variant={state === 'PARKED' ? 'filled' : 'default'}
              aria-label={dealersTexts.list.of(word, name)}
              onClick={() => replay.attempt({ params: { deliveryId: _id } })}
            >
              {word}
            </WorkButton>
          </OperatorOnly>
        )}
      </Group>
      {replay.error && <ErrorNotice>{replay.error.message}</ErrorNotice>}
    </Stack>
  )
}

function AttemptsDialog({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  return (
    <Dialog
      title={texts.triesOf(nameOf(delivery))}
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          {texts.close}
        </Button>
      }
    >
      <FactTable
        facts={delivery.tries.map((one) => ({
          term: formatDateTime(one.at),
          value: texts.tryLine(wordsOf(one), one.ms),
        }))}
      />
      <Text size="sm" c="dimmed">
        {texts.removedAfter(delivery.failedTryDays)}
      </Text>
      {delivery.digest && (
        <FactTable
          facts={[{ term: texts.digest, value: <span className={classes.address}>{delivery.digest}</span> }]}
        />
      )}
    </Dialog>
  )
}
