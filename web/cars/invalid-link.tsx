// Also for the guided purchase, which the same link leads to.
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import type { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { WorkButton } from '../ui/feedback/work-button.tsx'
import { LinkButton } from '../ui/frame/link.tsx'
import { texts as shared } from '../ui/texts.ts'
import { isOutOfReach } from '../wire/refusals.ts'

const texts = carTexts.public

type InvalidLinkProps = {
  /** Why the car was not found, if the link itself need not be to blame. */
  fault?: Refusal | null
  onRetry?: () => unknown
  /** Where somebody who is signed in goes instead. */
  action?: ReactNode
}

/** Below 'This link is invalid.': why, and the ways on (R-cars-15, R-everywhere-33). */
export function InvalidLink({ fault, onRetry, action }: InvalidLinkProps) {
  const isUnsure = isOutOfReach(fault)
  return (
    <>
      <p>{isUnsure ? `${texts.mayBeGood} ${fault?.message}` : texts.invalidHint}</p>
      <Group gap="sm">
        {action}
        {isUnsure && <WorkButton onClick={onRetry}>{shared.tryAgain}</WorkButton>}
        <LinkButton to="/login" variant="default">
          {texts.logIn}
        </LinkButton>
        <LinkButton to="/register" variant={isUnsure || action ? 'default' : undefined}>
          {texts.getStarted}
        </LinkButton>
      </Group>
    </>
  )
}
