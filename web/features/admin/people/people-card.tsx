import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { type FoundPerson, maxPeopleFound } from '@keyturn/contract/accounts/suspensions.ts'
import { formatDate } from '@keyturn/contract/shared/dates.ts'
import { Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { ListTable } from '../../../components/lists/list-table.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { ListSection } from '../list-section.tsx'
import classes from '../mailbox.module.css'
import { peopleQuery } from '../queries.ts'
import { OpenPerson } from './open-person.tsx'

const texts = suspensionTexts.people

/** Finds people by name, email or id (R-accounts-60). */
export function PeopleCard() {
  const search = useLocation({ select: ({ state }) => state.people ?? '' })
  const [typed, setTyped] = useState(search)
  const navigate = useNavigate()
  const found = useQuery(peopleQuery(search))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const people = typed.trim()
    void navigate({ to: '.', search: true, replace: true, state: (before) => ({ ...before, people }) })
  }
  return (
    <ListSection title={texts.title}>
      <search>
        <form onSubmit={submit}>
          <Group align="flex-end" gap="sm">
            <TextField
              label={texts.label}
              description={texts.hint}
              type="search"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={254}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              style={{ flex: '1 1 16rem' }}
            />
            <WorkButton type="submit">{texts.submit}</WorkButton>
          </Group>
        </form>
      </search>
      {search !== '' && (
        <QueryContent
          from={found}
          failed={texts.failed}
          empty={texts.none}
          emptyPicture="papers"
          skeletonRows={2}
        >
          {(people) => <People people={people} />}
        </QueryContent>
      )}
    </ListSection>
  )
}

const People = ({ people }: { people: readonly FoundPerson[] }) => (
  <Stack gap="sm">
    {people.length === maxPeopleFound && <p>{texts.limited(maxPeopleFound)}</p>}
    <ListTable
      label={texts.list}
      rows={people}
      columns={[
        { header: texts.columns.name, kind: 'title', cell: fullName },
        {
          header: texts.columns.email,
          cell: ({ email }) => <span className={classes.address}>{email}</span>,
        },
        { header: texts.columns.type, cell: ({ userType }) => texts.types[userType] },
        { header: texts.columns.state, cell: stateText },
        { header: texts.columns.since, cell: ({ createdAt }) => formatDate(createdAt) },
        {
          header: texts.action,
          kind: 'action',
          cell: (person) => (
            <OpenPerson id={person._id} label={texts.open(fullName(person))}>
              {texts.open('')}
            </OpenPerson>
          ),
        },
      ]}
    />
  </Stack>
)

export function stateText({
  isDeleted,
  isSuspended,
  verified,
}: Pick<FoundPerson, 'isDeleted' | 'isSuspended' | 'verified'>): string {
  if (isDeleted) return texts.deleted
  if (isSuspended) return texts.suspended
  return verified ? texts.active : texts.unverified
}
