import { adminActTexts } from '@keyturn/contract/accounts/admin-acts.ts'
import { describeAdminEvent } from '@keyturn/contract/accounts/admin-event-details.ts'
import { administratorTexts } from '@keyturn/contract/accounts/administrator-texts.ts'
import type { AdminEventEntry } from '@keyturn/contract/accounts/administrators.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { restoreFocus } from '../../../components/feedback/focus.ts'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { PagedTable } from '../../../components/lists/paged-table.tsx'
import { ListSection } from '../list-section.tsx'
import { adminEventsQuery, administratorsQuery } from '../queries.ts'

const texts = administratorTexts.events
type Person = NonNullable<AdminEventEntry['person']>

/** Every act and look of administrators, newest first (R-accounts-56). */
export function AdminEventsCard() {
  const [administrator, setAdministrator] = useState('')
  const [person, setPerson] = useState<Person | null>(null)
  const showPerson = (chosen: Person | null) => {
    setPerson(chosen)
    restoreFocus()
  }
  const administrators = useQuery(administratorsQuery)
  const events = useInfiniteQuery(
    adminEventsQuery({ ...(administrator && { administrator }), ...(person && { person: person._id }) }),
  )
  const names = new Map(administrators.data?.map(({ _id, name }) => [_id, name]))
  return (
    <ListSection title={texts.title} lead={texts.lead}>
      <Group align="flex-end">
        <SelectField
          label={texts.administrator}
          options={[
            { value: '', label: texts.all },
            { value: 'settings', label: texts.settings },
            ...(administrators.data ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
          value={administrator}
          onChange={(event) => setAdministrator(event.currentTarget.value)}
        />
        {person && (
          <>
            <Text>{texts.about(person.name)}</Text>
            <Button variant="default" onClick={() => showPerson(null)}>
              {texts.showAll}
            </Button>
          </>
        )}
      </Group>
      <PagedTable
        from={events}
        failed={texts.failed}
        empty={texts.none}
        skeletonRows={4}
        label={texts.title}
        columns={[
          { header: texts.columns.at, kind: 'title', cell: ({ at }) => formatDateTime(at) },
          {
            header: texts.columns.who,
            cell: (event) => `${event.administrator} (${administratorTexts.roles[event.role]})`,
          },
          { header: texts.columns.act, cell: ({ act }) => adminActTexts[act] },
          {
            header: texts.columns.person,
            cell: (event) =>
              event.person && (
                <Button variant="subtle" px={0} onClick={() => showPerson(event.person)}>
                  {event.person.name}
                </Button>
              ),
          },
          { header: texts.columns.details, cell: (event) => <Details of={event} names={names} /> },
        ]}
      />
    </ListSection>
  )
}

const Details = ({ of: event, names }: { of: AdminEventEntry; names: ReadonlyMap<string, string> }) => (
  <Stack gap={2}>
    {describeAdminEvent(event, names).map((text) => (
      <Text key={text} size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    ))}
  </Stack>
)
