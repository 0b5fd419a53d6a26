import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { LinkButton } from '../ui/frame/link.tsx'
import { useVisitor } from '../who/session.tsx'
import type { Part } from './use-visitors-part.ts'

const texts = carTexts.public

type BuyButtonProps = {
  userId: string
  vin: string
  part: Part | undefined
  isPending: boolean
}

/** A signed-in BUYER goes straight to the purchase, everybody else by way of /buy-this-car (R-cars-18). */
export function BuyButton({ userId, vin, part, isPending }: BuyButtonProps) {
  const visitor = useVisitor()
  const { href } = useLocation()
  if (part === 'buyer' || part === 'confirmedBuyer') {
    return (
      <LinkButton to="/buyer" search={{ userId, vin }}>
        {texts.continue}
      </LinkButton>
    )
  }
  if (isPending) return <Button disabled>{texts.salePending}</Button>
  if (part !== 'none') return <Button disabled>{texts.buy}</Button>
  return (
    <LinkButton
      to={visitor?.userType === 'BUYER' ? '/buyer' : '/buy-this-car'}
      search={{ userId, vin }}
      state={{ redirectURL: href }}
    >
      {texts.buy}
    </LinkButton>
  )
}
