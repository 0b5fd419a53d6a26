import { tokenTexts as texts } from '@keyturn/contract/accounts/token-texts.ts'
import { listTokens, type PersonalToken, revokeToken } from '@keyturn/contract/accounts/tokens.ts'
import { formatDate } from '@keyturn/contract/shared/dates.ts'
import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { endpointQuery } from '../../../api/queries.ts'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { restoreFocus } from '../../../components/feedback/focus.ts'
import { Card, Folds } from '../../../components/layout/card.tsx'
import { Entry, EntryList } from '../../../components/lists/entry-list.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { DocumentTextLink } from '../../../components/navigation/document-link.tsx'
import { CreateTokenDialog } from './create-token-dialog.tsx'

const tokensQuery = endpointQuery(listTokens, ['accounts', 'tokens'])

/** Collapsed and not fetched until opened, because most people never need a token. */
export function AccessTokensCard() {
  return (
    <Folds>
      <Card title={texts.title}>
        <AccessTokens />
      </Card>
    </Folds>
  )
}

function AccessTokens() {
  const found = useQuery(tokensQuery)
  const [isCreating, setCreating] = useState(false)
  const createButton = useRef<HTMLButtonElement>(null)
  const closeCreating = () => {
    setCreating(false)
    // The last of its dialogs was opened from another one, which is gone.
    restoreFocus(createButton.current)
  }
  const [revoking, setRevoking] = useState<PersonalToken | null>(null)
  return (
    <Stack gap="md">
      <p>{texts.lead}</p>
      <p>
        <DocumentTextLink href="/developers">{texts.toDevelopers}</DocumentTextLink>
      </p>
      <QueryContent from={found} failed={texts.failed} skeletonRows={1}>
        {(tokens) => (
          <Stack gap="md">
            {tokens.length > 0 && (
              <EntryList>
                {tokens.map((token) => (
                  <TokenEntry key={token._id} token={token} onRevoke={() => setRevoking(token)} />
                ))}
              </EntryList>
            )}
            {tokens.length > 0 && <p>{texts.passwordRevokes}</p>}
            <div>
              <Button ref={createButton} variant="default" onClick={() => setCreating(true)}>
                {texts.create}
              </Button>
            </div>
          </Stack>
        )}
      </QueryContent>
      {isCreating && <CreateTokenDialog refresh={[tokensQuery.queryKey]} onClose={closeCreating} />}
      {revoking && <RevokeDialog token={revoking} onClose={() => setRevoking(null)} />}
    </Stack>
  )
}

function TokenEntry({ token, onRevoke }: { token: PersonalToken; onRevoke: () => void }) {
  const { name, start, scopes, lastUsedAt, lastNetwork, expiresAt, isExpired } = token
  const expiry = formatDate(expiresAt)
  const revoke = (
    <Button variant="outline" color="brick" aria-label={texts.revokeOf(name)} onClick={onRevoke}>
      {texts.revoke}
    </Button>
  )
  return (
    <Entry actions={revoke}>
      <Text fw={600}>{name}</Text>
      <Text size="sm" ff="monospace">
        {start}…
      </Text>
      <Text size="sm">{texts.scopeOf(scopes)}</Text>
      <Text size="sm">
        {lastUsedAt ? texts.used(formatDate(lastUsedAt), lastNetwork ?? '') : texts.neverUsed}
      </Text>
      <Text size="sm">{isExpired ? texts.expired(expiry) : texts.expires(expiry)}</Text>
    </Entry>
  )
}

function RevokeDialog({ token: { _id, name }, onClose }: { token: PersonalToken; onClose: () => void }) {
  const revoking = useEndpointMutation(revokeToken, {
    refresh: [tokensQuery.queryKey],
    success: texts.revoked(name),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={texts.revokeTitle}
      confirm={texts.revoke}
      cancel={texts.cancel}
      danger
      failed={texts.revokeFailed}
      onConfirm={() => revoking.act({ params: { tokenId: _id } })}
      onClose={onClose}
    >
      <p>{texts.revokeQuestion(name)}</p>
    </ConfirmDialog>
  )
}
