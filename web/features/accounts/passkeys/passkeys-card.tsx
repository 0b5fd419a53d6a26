import { passkeyTexts as texts } from '@keyturn/contract/accounts/passkey-texts.ts'
import type { Passkey } from '@keyturn/contract/accounts/passkeys.ts'
import { isPasskeyHost } from '@keyturn/contract/accounts/rules.ts'
import { formatDate } from '@keyturn/contract/shared/dates.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '../../../components/layout/card.tsx'
import { Entry, EntryList } from '../../../components/lists/entry-list.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { passkeysQuery } from './queries.ts'
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx'
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx'

type Open = { dialog: 'add' } | { dialog: 'rename' | 'remove'; passkey: Passkey }

/** The person's passkeys, in the settings (R-accounts-45). */
export function PasskeysCard() {
  const found = useQuery(passkeysQuery)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const canAdd = isPasskeyHost(location.hostname)
  return (
    <Card
      title={texts.title}
      action={
        canAdd && (
          <Button variant="default" onClick={() => setOpen({ dialog: 'add' })}>
            {texts.add}
          </Button>
        )
      }
    >
      <Stack gap="md">
        <p>{canAdd ? texts.lead : texts.unavailable}</p>
        <QueryContent from={found} failed={texts.loadFailed} skeleton="lines" skeletonRows={1}>
          {({ passkeys }) =>
            passkeys.length === 0 ? (
              <p>{texts.none}</p>
            ) : (
              <EntryList>
                {passkeys.map((passkey) => (
                  <PasskeyEntry key={passkey._id} passkey={passkey} onOpen={setOpen} />
                ))}
              </EntryList>
            )
          }
        </QueryContent>
      </Stack>
      {open?.dialog === 'add' && <AddPasskeyDialog onClose={close} />}
      {open?.dialog === 'rename' && <RenamePasskeyDialog passkey={open.passkey} onClose={close} />}
      {open?.dialog === 'remove' && <RemovePasskeyDialog passkey={open.passkey} onClose={close} />}
    </Card>
  )
}

function PasskeyEntry({ passkey, onOpen }: { passkey: Passkey; onOpen: (open: Open) => void }) {
  const { name, createdAt, lastUsedAt } = passkey
  const actions = (
    <Group gap="xs">
      <Button
        variant="default"
        aria-label={texts.renameOf(name)}
        onClick={() => onOpen({ dialog: 'rename', passkey })}
      >
        {texts.rename}
      </Button>
      <Button
        variant="outline"
        color="brick"
        aria-label={texts.removeOf(name)}
        onClick={() => onOpen({ dialog: 'remove', passkey })}
      >
        {texts.remove}
      </Button>
    </Group>
  )
  return (
    <Entry actions={actions}>
      <Text fw={600}>{name}</Text>
      <Text c="dimmed" size="sm">
        {texts.facts(formatDate(createdAt), lastUsedAt && formatDate(lastUsedAt))}
      </Text>
    </Entry>
  )
}
