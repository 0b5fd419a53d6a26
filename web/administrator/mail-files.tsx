import { listMailFiles, mailFile } from '@keyturn/contract/accounts/mails.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Group, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { DownloadButton } from '../ui/feedback/download-button.tsx'
import { Loaded } from '../ui/lists/loaded.tsx'
import { administratorKey } from '../who/person.ts'
import { send, sendFile } from '../wire/send.ts'
import classes from './mailbox.module.css'

const texts = accountTexts.admin

const mailFilesQuery = (mailId: string) =>
  queryOptions({
    queryKey: [...administratorKey, 'mail-files', mailId],
    queryFn: ({ signal }) => send(listMailFiles, { params: { mailId } }, { signal }),
  })

/** What a mail takes along, to be looked at as whoever gets it would. */
export function MailFiles({ mailId }: { mailId: string }) {
  const files = useQuery(mailFilesQuery(mailId))
  return (
    <Stack gap="sm">
      <Text fw={600}>{texts.files}</Text>
      <Loaded from={files} failed={texts.filesFailed} skeleton="lines" skeletonRows={1}>
        {(all) => (
          <Stack gap="sm">
            {all.map(({ name, type, bytes }, place) => (
              <Group key={name} justify="space-between" gap="sm">
                <div>
                  <span className={classes.address}>{name}</span>
                  <Text size="sm" c="dimmed">
                    {texts.fileLine(type, sizeOf(bytes))}
                  </Text>
                </div>
                <DownloadButton
                  size="sm"
                  fetchFile={() => sendFile(mailFile, { params: { mailId, file: place } })}
                  name={name}
                  label={texts.downloadOf(name)}
                  working={texts.downloading}
                  failed={texts.fileFailed}
                >
                  {texts.download}
                </DownloadButton>
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
    </Stack>
  )
}

const kilobytes = new Intl.NumberFormat('en-US', { style: 'unit', unit: 'kilobyte' })
const sizeOf = (bytes: number): string => kilobytes.format(Math.max(1, Math.round(bytes / 1000)))
