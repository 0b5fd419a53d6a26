import {
  type ContactLook,
  type RetentionRow,
  readPrivacy,
} from '@keyturn/contract/accounts/privacy/endpoints.ts'
import { privacyTexts as texts } from '@keyturn/contract/accounts/privacy/privacy-texts.ts'
import type { DataFormat } from '@keyturn/contract/accounts/privacy/rules.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../../api/queries.ts'
import { Card, Folds } from '../../../components/layout/card.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { Entry, EntryList } from '../../../components/lists/entry-list.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { BackLink } from '../../../components/navigation/link.tsx'
import { DownloadDataDialog } from './download-data-dialog.tsx'

const { download, retention, looks } = texts
const privacyQuery = endpointQuery(readPrivacy, ['accounts', 'privacy'])

/** /settings/data: the download, what is stored and why, and who could see it. */
export function YourDataScreen() {
  const [format, setFormat] = useState<DataFormat | null>(null)
  return (
    <Page title={texts.title} width="wizard" back={<BackLink to="/settings">{texts.back}</BackLink>}>
      <Card title={download.title}>
        <Stack gap="md">
          <p>{download.lead}</p>
          <Group gap="sm">
            <Button onClick={() => setFormat('html')}>{download.html}</Button>
            <Button variant="default" onClick={() => setFormat('json')}>
              {download.json}
            </Button>
          </Group>
        </Stack>
      </Card>
      <Folds>
        <Card title={looks.title}>
          <Looks />
        </Card>
        <Card title={retention.title}>
          <Retention />
        </Card>
      </Folds>
      {format && <DownloadDataDialog format={format} onClose={() => setFormat(null)} />}
    </Page>
  )
}

function Looks() {
  const found = useQuery(privacyQuery)
  return (
    <QueryContent from={found} failed={texts.failed} skeletonRows={2}>
      {(data) => (
        <Stack gap="md">
          <p>{looks.lead}</p>
          {data.looks.length === 0 ? <p>{looks.empty}</p> : <LookList looks={data.looks} />}
        </Stack>
      )}
    </QueryContent>
  )
}

const LookList = ({ looks: rows }: { looks: readonly ContactLook[] }) => (
  <EntryList>
    {rows.map((look) => (
      <Entry key={`${look.at} ${looks.sentence(look)}`}>
        <p>{looks.sentence(look)}</p>
        <Text c="dimmed" size="sm">
          {looks.on(look.at)}
        </Text>
      </Entry>
    ))}
  </EntryList>
)

function Retention() {
  const found = useQuery(privacyQuery)
  return (
    <QueryContent from={found} failed={texts.failed} skeletonRows={5}>
      {(data) => (
        <Stack gap="md">
          <p>{retention.lead}</p>
          <EntryList>
            {data.retention.map((row) => (
              <RetentionEntry key={row.what} row={row} />
            ))}
          </EntryList>
        </Stack>
      )}
    </QueryContent>
  )
}

const RetentionEntry = ({ row: { what, howLong, why, basis } }: { row: RetentionRow }) => (
  <Entry>
    <Text fw={600}>{what}</Text>
    <p>{howLong}.</p>
    <Text c="dimmed" size="sm">
      {why} {basis}.
    </Text>
  </Entry>
)
