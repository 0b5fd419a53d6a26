import type { User } from '@keyturn/contract/accounts/calls.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { LinkButton } from '../ui/link.tsx'

const texts = carTexts.public

type BuyButtonProps = {
  userId: string
  vin: string
  /** Undefined while it is not known yet who is there. */
  visitor: User | null | undefined
  isPending: boolean
  isOwn: boolean
}

/** A signed-in BUYER goes straight to the purchase, everybody else by way of /buy-this-car (1 s2). */
export function BuyButton({ userId, vin, visitor, isPending, isOwn }: BuyButtonProps) {
  const { href } = useLocation()
  if (isPending) return <Button disabled>{texts.salePending}</Button>
  if (isOwn || visitor === undefined) return <Button disabled>{texts.buy}</Button>
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
