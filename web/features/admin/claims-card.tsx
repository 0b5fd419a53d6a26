import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { claimTexts } from '@keyturn/contract/cars/claim-texts.ts'
import { type Claim, type ClaimedCar, keepClaimedListing } from '@keyturn/contract/cars/claims.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { formatDate } from '@keyturn/contract/shared/dates.ts'
import { formatMiles } from '@keyturn/contract/shared/miles.ts'
import { Box, Button, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { administratorKey } from '../../auth/remembered-person.ts'
import { Vin } from '../../components/display/vin.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { OperatorOnly } from './administrators/operator-only.tsx'
import { ListSection } from './list-section.tsx'
import { ListingRemoval } from './listings-card.tsx'
import classes from './mailbox.module.css'
import { OpenPerson } from './people/open-person.tsx'
import { claimsQuery } from './queries.ts'
import { sortPendingFirst } from './sort-pending-first.ts'

const texts = claimTexts.list

/** Listings that somebody else claims, beside what that person typed; open ones first (R-cars-36). */
export function ClaimsCard() {
  const all = useInfiniteQuery(claimsQuery)
  const [removed, setRemoved] = useState<Claim['listed'] | null>(null)
  return (
    <ListSection title={texts.title} lead={texts.lead}>
      <PagedTable
        from={all}
        failed={texts.failed}
        empty={texts.empty}
        emptyPicture="cars"
        skeletonRows={2}
        label={texts.title}
        order={(rows) => sortPendingFirst(rows, isOpenClaim)}
        isYourTurn={isOpenClaim}
        columns={[
          {
            header: texts.columns.listed,
            kind: 'title',
            cell: ({ listed, seller }) => (
              <CarAndPerson car={listed} person={seller} more={texts.state[listed.state]} />
            ),
          },
          {
            header: texts.columns.claimed,
            cell: ({ claimed, claimant }) =>
              claimed ? <CarAndPerson car={claimed} person={claimant} /> : texts.erased,
          },
          {
            header: texts.columns.reason,
            cell: ({ reason }) => (
              <Text maw="18rem" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} dir="auto">
                {reason}
              </Text>
            ),
          },
          { header: texts.columns.at, cell: ({ at }) => formatDate(at) },
          {
            header: texts.columns.action,
            kind: 'action',
            cell: (claim) => <Decision claim={claim} onRemove={() => setRemoved(claim.listed)} />,
          },
        ]}
      />
      {removed && <ListingRemoval car={removed} onClose={() => setRemoved(null)} />}
    </ListSection>
  )
}

const isOpenClaim = ({ handledAt }: Claim): boolean => handledAt === null

type CarAndPersonProps = { car: ClaimedCar; person: Claim['seller']; more?: string }

const CarAndPerson = ({ car, person, more }: CarAndPersonProps) => (
  <Box maw="18rem" style={{ overflowWrap: 'anywhere' }}>
    {carName(car)}
    <Text size="sm">
      <Vin value={car.vin} />
    </Text>
    <Text size="sm">{[formatMiles(car.mileage), car.color, more].filter(Boolean).join(', ')}</Text>
    <Text size="sm">{texts.by(person.name)}</Text>
    <Text size="sm" c="dimmed" className={classes.address}>
      {person.email} {person.phoneNumber}
    </Text>
  </Box>
)

function Decision({ claim, onRemove }: { claim: Claim; onRemove: () => void }) {
  const { _id, handledAt, outcome, listed, seller, claimant } = claim
  const keep = useEndpointMutation(keepClaimedListing, { refresh: [administratorKey], success: texts.kept })
  if (handledAt && outcome) return <Text size="sm">{texts.handledOn(outcome, formatDate(handledAt))}</Text>
  return (
    <Stack gap="xs">
      <OpenPerson id={seller._id} label={suspensionTexts.people.openSellerOf(seller.name)}>
        {suspensionTexts.people.openSeller}
      </OpenPerson>
      <OperatorOnly>
        {listed.state === 'live' && (
          <Button variant="default" onClick={onRemove}>
            {texts.remove}
          </Button>
        )}
        <WorkButton
          variant="default"
          aria-label={texts.keepOf(carName(listed), claimant.name)}
          onClick={() => keep.attempt({ params: { claimId: _id } })}
        >
          {texts.keep}
        </WorkButton>
        {keep.error && <ErrorNotice>{keep.error.message}</ErrorNotice>}
      </OperatorOnly>
    </Stack>
  )
}
