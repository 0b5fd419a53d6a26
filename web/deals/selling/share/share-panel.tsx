import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import { Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { useInvitation } from '../../../cars/use-invitation.ts'
import { Card } from '../../../ui/frame/card.tsx'
import { MoreWays } from './more-ways.tsx'
import { QrCode } from './qr-code.tsx'
import { SendLink } from './send-link.tsx'

const texts = carTexts.share

type SharePanelProps = { car: Car; isNext: boolean }

/** The link to send or copy, and its QR code for a buyer who stands beside the seller (R-cars-20). */
export function SharePanel({ car, isNext }: SharePanelProps) {
  const invitation = useInvitation(car)
  const code = useRef<SVGSVGElement>(null)
  return (
    <Card title={sellingTexts.shareTitle}>
      <Stack gap="md">
        <Text>{texts.explain}</Text>
        <SendLink invitation={invitation} isNext={isNext} />
      </Stack>
      <Stack gap="md" align="center">
        <QrCode value={invitation.url} label={texts.qrLabel} drawn={code} />
        <MoreWays car={car} invitation={invitation} code={code} />
      </Stack>
    </Card>
  )
}
