import { sendVerification, verifyEmail } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { hasErrorCode } from '../../api/errors.ts'
import { useCarSearch } from '../../api/search-params.ts'
import { send } from '../../api/send.ts'
import { userKey } from '../../auth/remembered-person.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Outcome } from '../../components/feedback/outcome.tsx'
import { Spinner } from '../../components/feedback/spinner.tsx'
import { Card } from '../../components/layout/card.tsx'
import { LinkButton } from '../../components/navigation/link.tsx'
import { PublicPage } from '../public-pages/public-page.tsx'
import { EmailForm } from './email-form.tsx'
import { useLinkCode } from './use-link-code.ts'

const texts = accountTexts.verify

/**
 * /email/verify, with the code and an optional vin and userId in the query. Verifies without a
 * click.
 */
export function VerifyEmailScreen() {
  const { code } = useLinkCode()
  return (
    <PublicPage title={texts.title}>
      <Card>{code ? <Verification code={code} /> : <SendAgain>{texts.noCode}</SendAgain>}</Card>
    </PublicPage>
  )
}

function Verification({ code }: { code: string }) {
  const client = useQueryClient()
  // A query rather than an effect, so that the request is sent once for any number of renders and
  // its result is cached.
  const verification = useQuery({
    queryKey: ['accounts', 'verification', code],
    queryFn: async () => {
      const answer = await send(verifyEmail, { params: { code } })
      client.removeQueries({ queryKey: userKey })
      return answer
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
  })
  if (verification.isSuccess) return <Verified />
  if (!verification.isError) return <Spinner label={texts.checking} />
  return isCodeError(verification.error) ? (
    <SendAgain>{texts.failed}</SendAgain>
  ) : (
    <ErrorNotice onRetry={() => void verification.refetch()}>{verification.error.message}</ErrorNotice>
  )
}

function Verified() {
  const { userId, vin } = useCarSearch()
  return (
    <Outcome
      kind="good"
      title={texts.done}
      action={
        vin ? (
          <LinkButton to="/buyer" search={{ vin, userId }}>
            {texts.toPurchase}
          </LinkButton>
        ) : (
          <LinkButton to="/home">{texts.toDashboard}</LinkButton>
        )
      }
    />
  )
}

function SendAgain({ children }: { children: string }) {
  return (
    <Stack>
      <ErrorNotice>{children}</ErrorNotice>
      <EmailForm
        call={sendVerification}
        texts={{ email: texts.email, submit: texts.send, sent: texts.sent, failed: texts.sendFailed }}
      />
    </Stack>
  )
}

/** After any other error (offline, rate limit), the same code can be tried again. */
const isCodeError = (fault: ApiError) =>
  hasErrorCode(fault, verifyEmail, 'InvalidVerificationCode', 'ValidationError', 'BadRequest')
