import { passkeyTexts as texts } from '@keyturn/contract/accounts/passkey-texts.ts'
import { dismissPasskeyOffer } from '@keyturn/contract/accounts/passkeys.ts'
import { isPasskeyHost } from '@keyturn/contract/accounts/rules.ts'
import { Button, Group } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { restoreFocus } from '../../../components/feedback/focus.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { passkeysQuery } from './queries.ts'

/** Whether this device can make a passkey itself, so that no other device has to be at hand. */
const ownAuthenticatorQuery = queryOptions({
  queryKey: ['accounts', 'own-authenticator'],
  queryFn: async () =>
    isPasskeyHost(location.hostname) &&
    'PublicKeyCredential' in window &&
    (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Offers a passkey on start pages, until the person adds one or declines (R-accounts-47). */
export function PasskeyOffer() {
  const client = useQueryClient()
  const { data: isPossible } = useQuery(ownAuthenticatorQuery)
  const { data } = useQuery({ ...passkeysQuery, enabled: isPossible === true })
  const [isAdding, setAdding] = useState(false)
  const withdraw = () =>
    client.setQueryData(passkeysQuery.queryKey, (known) => known && { ...known, isOffered: false })
  const dismissal = useEndpointMutation(dismissPasskeyOffer)
  const decline = () => {
    withdraw()
    // If this fails, the offer returns with the next sign-in.
    void dismissal.attempt({})
    restoreFocus()
  }
  return (
    <>
      {data?.isOffered && (
        <Notice
          kind="info"
          title={texts.offerTitle}
          action={
            <Group gap="xs">
              <Button size="sm" variant="default" onClick={() => setAdding(true)}>
                {texts.add}
              </Button>
              <Button size="sm" variant="subtle" onClick={decline}>
                {texts.offerDecline}
              </Button>
            </Group>
          }
        >
          {texts.offer}
        </Notice>
      )}
      {isAdding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
    </>
  )
}
