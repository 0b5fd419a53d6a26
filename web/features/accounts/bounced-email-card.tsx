import {
  type EmailStatus,
  readEmailStatus,
  sendAddressCheck,
} from '@keyturn/contract/accounts/email-endpoints.ts'
import { mailboxTexts } from '@keyturn/contract/accounts/mailbox-texts.ts'
import { Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { endpointQuery } from '../../api/queries.ts'
import { Failure } from '../../components/feedback/failure.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { LinkButton } from '../../components/navigation/link.tsx'

const texts = mailboxTexts.returned
type Returned = EmailStatus['returned'][number]

const ownMailQuery = endpointQuery(readEmailStatus, ['accounts', 'mail'])

/** The person's addresses that bounce emails, each with how to fix it. */
export function BouncedEmailCard({ onProfile = false }: { onProfile?: boolean }) {
  const { data } = useQuery(ownMailQuery)
  if (!data || data.returned.length === 0) return null
  return (
    <Stack gap="sm">
      {data.returned.map((one) => (
        <ReturnedMail key={one.address} of={one} onProfile={onProfile} />
      ))}
    </Stack>
  )
}

function ReturnedMail({ of: { address, isNew }, onProfile }: { of: Returned; onProfile: boolean }) {
  const proving = useEndpointMutation(sendAddressCheck)
  if (proving.done) return <Notice kind="good">{texts.sent(address)}</Notice>
  return (
    <Stack gap="xs">
      <Notice
        kind="info"
        title={texts.title(address)}
        action={
          <Group gap="xs">
            {!onProfile && (
              <LinkButton to="/profile" variant="default" size="sm">
                {texts.change}
              </LinkButton>
            )}
            {!isNew && (
              <WorkButton
                variant="default"
                size="sm"
                working={texts.proving}
                onClick={() => proving.attempt({})}
              >
                {texts.prove}
              </WorkButton>
            )}
          </Group>
        }
      >
        {isNew ? texts.textNew : texts.text}
      </Notice>
      {proving.error && <Failure sentence={texts.failed} fault={proving.error} />}
    </Stack>
  )
}
