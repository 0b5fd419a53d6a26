import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import type { CalledOffSale, DashboardCar, Request } from '@keyturn/contract/deals/shapes.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { MessagesButton } from '../../messages/messages-button.tsx'
import { TimelineContent } from '../deal-timeline.tsx'
import { pendingRequests } from './request-facts.ts'

const texts = dealersTexts.calledOff

type CalledOffProps = { car: DashboardCar; requests: readonly Request[] }

/**
 * Explains that the car is for sale again because the dealer canceled its last sale (R-deals-76).
 */
export function LastCalledOffNotice({ car, requests }: CalledOffProps) {
  const [last] = car.calledOffSales
  if (!last) return null
  return (
    <Notice
      kind="waiting"
      title={texts.saleTo(last.dealer, last.buyer)}
      action={<TimelineButton car={car} sale={last} requests={requests} />}
    >
      <Stack gap={4}>
        <span>{texts.reason(last.reason)}</span>
        <span>{texts.freeAgain(pendingRequests(requests).length > 0)}</span>
      </Stack>
    </Notice>
  )
}

export function CalledOffSales({
  car,
  sales,
  requests,
}: CalledOffProps & { sales: readonly CalledOffSale[] }) {
  if (sales.length === 0) return null
  return (
    <Card title={texts.earlier}>
      <Stack gap="lg">
        {sales.map((sale) => (
          <Stack key={sale._id} gap={4} align="flex-start">
            <Text fw={600}>{texts.saleTo(sale.dealer, sale.buyer)}</Text>
            <Text>{texts.reason(sale.reason)}</Text>
            <Text size="sm" c="dimmed">
              {formatDateTime(sale.at)}
            </Text>
            <TimelineButton car={car} sale={sale} requests={requests} />
          </Stack>
        ))}
      </Stack>
    </Card>
  )
}

/** Hidden if the buyer has a new request, because its timeline includes this sale. */
function TimelineButton({ car, sale, requests }: CalledOffProps & { sale: CalledOffSale }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const isNewest = car.calledOffSales.find(({ buyerId }) => buyerId === sale.buyerId) === sale
  if (!isNewest || requests.some(({ buyer }) => buyer._id === sale.buyerId)) return null
  return (
    <Group gap="sm">
      <MessagesButton dealId={sale._id} vin={car.vin} other={{ firstName: sale.buyer, lastName: '' }} />
      <Button variant="default" size="sm" onClick={() => setOpen(true)}>
        {texts.story}
      </Button>
      {isOpen && (
        <Dialog
          title={texts.storyOf(sale.buyer)}
          onClose={close}
          actions={<Button onClick={close}>{texts.close}</Button>}
        >
          <TimelineContent userId={car.sellerId} vin={car.vin} buyerId={sale.buyerId} />
        </Dialog>
      )}
    </Group>
  )
}
