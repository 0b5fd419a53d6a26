import type { User } from '@keyturn/contract/accounts/calls.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import { Button, Stack, Text } from '@mantine/core'
import { loanOn } from '../../../cars/car-card.tsx'
import { pathToPage, useInvitation } from '../../../cars/use-invitation.ts'
import { DealHeader } from '../../../ui/deal/deal-header.tsx'
import { Card } from '../../../ui/frame/card.tsx'
import { QrCode } from './qr-code.tsx'
import { SendLink } from './send-link.tsx'

const texts = carTexts.share

type SharePanelProps = { car: Car; isNext: boolean }

/** The link to send or copy, and its QR code for a buyer who stands beside the seller (R-cars-20). */
export function SharePanel({ car, isNext }: SharePanelProps) {
  const invitation = useInvitation(car)
  return (
    <Card title={sellingTexts.shareTitle}>
      <Stack gap="md">
        <Text>{texts.explain}</Text>
        <SendLink invitation={invitation} isNext={isNext} />
      </Stack>
      <Stack gap="md" align="center">
        <QrCode value={invitation.url} label={texts.qrLabel} />
      </Stack>
    </Card>
  )
}

/** A small preview of the page behind the link. */
export function SharePreview({ car, seller }: { car: Car; seller: User }) {
  const { year, make, carModel } = car
  return (
    <Card
      title={texts.preview}
      action={
        <Button component="a" href={pathToPage(car)} variant="default" size="sm" data-leaves>
          {texts.openPage}
        </Button>
      }
    >
      <Stack gap="md">
        <Text>{carTexts.public.welcome(fullName(seller), carName({ year, make, carModel }))}</Text>
        <DealHeader
          title={carName(car)}
          price={car.price}
          unsetPrice={carTexts.toBeAgreed}
          vin={car.vin}
          body={car.bodyType}
          photos={car.photos}
          remark={loanOn(car)}
        />
      </Stack>
    </Card>
  )
}
