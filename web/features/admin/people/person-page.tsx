import { administratorTexts } from '@keyturn/contract/accounts/administrator-texts.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import type { PersonState, Suspension } from '@keyturn/contract/accounts/suspensions.ts'
import { formatDate, formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { Box, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Vin } from '../../../components/display/vin.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { FactTable } from '../../../components/lists/fact-table.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { BackLink, TextLink } from '../../../components/navigation/link.tsx'
import { PublicPage } from '../../public-pages/public-page.tsx'
import { OperatorOnly, useIsOperator } from '../administrators/operator-only.tsx'
import { personStateQuery } from '../queries.ts'
import { stateText } from './people-card.tsx'
import { PersonActions } from './person-actions.tsx'

const texts = suspensionTexts.person
const { types } = suspensionTexts.people
const { reasons } = suspensionTexts.suspend

/** /dev?person: a person's account and what a suspension affects (R-accounts-60). */
export function PersonPage({ userId }: { userId: string }) {
  const { tab } = useSearch({ from: '/dev' })
  const found = useQuery(personStateQuery(userId))
  return (
    <PublicPage
      title={found.data ? fullName(found.data) : texts.account}
      width="paper"
      back={
        <BackLink to="/dev" search={{ tab }} state={true}>
          {texts.back}
        </BackLink>
      }
    >
      <QueryContent from={found} failed={texts.failed} skeleton="cards" skeletonRows={4}>
        {(person) => <PersonCards person={person} />}
      </QueryContent>
    </PublicPage>
  )
}

function PersonCards({ person }: { person: PersonState }) {
  const { tab } = useSearch({ from: '/dev' })
  const [last] = person.suspensions
  const isOperator = useIsOperator()
  return (
    <Stack gap="lg">
      {!isOperator && <Notice kind="info">{administratorTexts.onlyOperators}</Notice>}
      {person.isSuspended && last && (
        <Notice kind="waiting" title={texts.isSuspended}>
          <SuspensionText suspension={last} />
        </Notice>
      )}
      <Card title={texts.account}>
        <Stack gap="md">
          <FactTable
            facts={[
              { term: suspensionTexts.people.columns.state, value: stateText(person), strong: true },
              { term: suspensionTexts.people.columns.type, value: types[person.userType] },
              { term: suspensionTexts.people.columns.email, value: person.email },
              { term: texts.phone, value: person.phoneNumber },
              { term: texts.created, value: formatDate(person.createdAt) },
              { term: texts.id, value: person._id },
            ]}
          />
          <OperatorOnly>
            <PersonActions person={person} />
          </OperatorOnly>
        </Stack>
      </Card>
      <ListCard title={texts.sessions} empty={texts.noSessions} rows={person.sessions}>
        {({ device, signedInAt }) => (
          <>
            {device}
            <Text size="sm" c="dimmed">
              {texts.signedIn(signedInAt && formatDateTime(signedInAt))}
            </Text>
          </>
        )}
      </ListCard>
      <ListCard title={texts.listings} empty={texts.noListings} rows={person.listings}>
        {({ car, vin }) => (
          <>
            {car}
            <Text size="sm">
              <Vin value={vin} />
            </Text>
          </>
        )}
      </ListCard>
      <ListCard title={texts.deals} empty={texts.noDeals} rows={person.deals}>
        {({ car, isSeller, other, isPassed }) => (
          <>
            {car}
            <Text size="sm">
              <TextLink to="/dev" search={{ tab, person: other._id }} state={true} inherit>
                {isSeller ? texts.selling(other.name) : texts.buying(other.name)}
              </TextLink>
            </Text>
            {isPassed && (
              <Text size="sm" c="dimmed">
                {texts.signed}
              </Text>
            )}
          </>
        )}
      </ListCard>
      <ListCard title={texts.history} empty={texts.noHistory} rows={person.suspensions}>
        {(suspension) => <SuspensionText suspension={suspension} />}
      </ListCard>
    </Stack>
  )
}

const SuspensionText = ({ suspension }: { suspension: Suspension }) => (
  <Box style={{ overflowWrap: 'anywhere' }}>
    <Text>{reasons[suspension.reason]}</Text>
    {suspension.note && <Text style={{ whiteSpace: 'pre-wrap' }}>{suspension.note}</Text>}
    <Text size="sm">{texts.suspendedOn(formatDateTime(suspension.suspendedAt), suspension.suspendedBy)}</Text>
    {suspension.liftedAt && (
      <Text size="sm">{texts.liftedOn(formatDateTime(suspension.liftedAt), suspension.liftedBy ?? '')}</Text>
    )}
  </Box>
)

type ListCardProps<Row> = {
  title: string
  empty: string
  rows: readonly Row[]
  children: (row: Row) => ReactNode
}

const ListCard = <Row extends { _id: string }>({ title, empty, rows, children }: ListCardProps<Row>) => (
  <Card title={title}>
    {rows.length === 0 ? (
      <Text c="dimmed">{empty}</Text>
    ) : (
      <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {rows.map((row) => (
          <li key={row._id}>{children(row)}</li>
        ))}
      </Stack>
    )}
  </Card>
)
