import { loginByLink } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Stack } from '@mantine/core'
import { hasErrorCode } from '../../api/errors.ts'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { useCompleteLogin } from '../../auth/session.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { Card } from '../../components/layout/card.tsx'
import { LinkButton } from '../../components/navigation/link.tsx'
import { PublicPage } from '../public-pages/public-page.tsx'
import { pathAfterLogin } from './path-after-login.ts'
import { useFragmentCode } from './use-link-code.ts'

const texts = accountTexts.loginLink

/** /login/link. Signs in only on a click, because email clients open links on their own. */
export function LoginLinkScreen() {
  const code = useFragmentCode()
  return (
    <PublicPage title={texts.title}>
      <Card>{code ? <SignIn code={code} /> : <InvalidLink />}</Card>
    </PublicPage>
  )
}

function SignIn({ code }: { code: string }) {
  const completeLogin = useCompleteLogin()
  const signIn = useEndpointMutation(loginByLink, {
    onDone: () => completeLogin((user) => pathAfterLogin(user, undefined)),
  })
  if (hasErrorCode(signIn.error, loginByLink, 'InvalidLoginLink')) return <InvalidLink takesFocus />
  return (
    <Stack>
      <p>{texts.lead}</p>
      {signIn.error && <Failure sentence={texts.failed} fault={signIn.error} />}
      <WorkButton busy={signIn.isWorking} onClick={() => signIn.attempt({ body: { code } })}>
        {texts.submit}
      </WorkButton>
    </Stack>
  )
}

/** Set `takesFocus` when this replaces the button that had the focus. */
function InvalidLink({ takesFocus = false }: { takesFocus?: boolean }) {
  return (
    <ErrorNotice
      action={
        <LinkButton to="/login" ref={takesFocus ? focus : undefined}>
          {texts.toLogin}
        </LinkButton>
      }
    >
      {texts.invalid}
    </ErrorNotice>
  )
}

const focus = (link: HTMLAnchorElement | null) => link?.focus()
