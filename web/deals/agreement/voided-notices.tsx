import { fullName, type Side } from '@keyturn/contract/accounts/rules.ts'
import { termSheetTexts } from '@keyturn/contract/deals/agreement-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChangeList } from '../../decide/change-list.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { timelineQuery } from '../queries.ts'
import { type SinceSigning, sinceSigning } from './voided.ts'

const texts = termSheetTexts.voided

type VoidedNoticesProps = { progress: Progress; side: Side }

/** Tells both sides what has changed since a signature that now has to be given again. */
export function VoidedNotices({ progress, side }: VoidedNoticesProps) {
  const { sellerId, vin, buyerId, seller, buyer, sellerSigned, buyerSigned } = progress
  // The same query as the deal's timeline on this screen, so it costs no extra request.
  const timeline = useQuery(timelineQuery(sellerId, vin, side === 'SELLER' ? buyerId : undefined))
  const sides = [
    { of: 'SELLER', isSigned: sellerSigned, name: fullName(seller) },
    { of: 'BUYER', isSigned: buyerSigned, name: fullName(buyer) },
  ] as const
  return sides.map(({ of, isSigned, name }) => {
    const since = isSigned || !timeline.data ? null : sinceSigning(timeline.data, of)
    if (!since) return null
    return of === side ? (
      <Own key={of} since={since} buyer={fullName(buyer)} />
    ) : (
      <Other key={of} since={since} name={name} />
    )
  })
}

function Own({ since: { changes, hasLapsed }, buyer }: { since: SinceSigning; buyer: string }) {
  if (changes.length === 0) {
    return (
      <Notice kind="waiting" title={hasLapsed ? texts.lapsed : texts.turnedDown}>
        {hasLapsed ? texts.lapsedHint(buyer) : texts.turnedDownHint}
      </Notice>
    )
  }
  return (
    <Notice kind="waiting" title={texts.yours}>
      <Stack gap="xs">
        <ChangeList changes={changes} />
        {texts.yoursHint}
      </Stack>
    </Notice>
  )
}

/** Leaves out the end of the 72 hours, which the buyer is told elsewhere. */
function Other({ since: { changes, wasTurnedDown }, name }: { since: SinceSigning; name: string }) {
  if (changes.length === 0 && !wasTurnedDown) return null
  return (
    <Notice kind="waiting" title={changes.length > 0 ? texts.theirs(name) : texts.theirsTurnedDown(name)}>
      <Stack gap="xs">
        {changes.length > 0 && <ChangeList changes={changes} />}
        {texts.theirsHint(name)}
      </Stack>
    </Notice>
  )
}
