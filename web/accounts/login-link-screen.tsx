import { loginByLink } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Stack } from '@mantine/core'
import { useAct } from '../decide/act.ts'
import { PublicPage } from '../pages/public-page.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Trouble } from '../ui/feedback/trouble.tsx'
import { WorkButton } from '../ui/feedback/work-button.tsx'
import { Card } from '../ui/frame/card.tsx'
import { LinkButton } from '../ui/frame/link.tsx'
import { useAfterLogin } from '../who/session.tsx'
import { isRefusedWith } from '../wire/refusals.ts'
import { pathAfterLogin } from './after-login.ts'
import { useFragmentCode } from './use-link-code.ts'

const texts = accountTexts.loginLink

/** /login/link (code in the fragment): signs in only at the press of a button, because mail programs open links by themselves. */
export function LoginLinkScreen() {
  const code = useFragmentCode()
  return (
    <PublicPage title={texts.title}>
      <Card>{code ? <SignIn code={code} /> : <InvalidLink />}</Card>
    </PublicPage>
  )
}

function SignIn({ code }: { code: string }) {
  const afterLogin = useAfterLogin()
  const signIn = useAct(loginByLink, { onDone: () => afterLogin((user) => pathAfterLogin(user, undefined)) })
  if (isRefusedWith(signIn.refusal, loginByLink, 'InvalidLoginLink')) return <InvalidLink takesFocus />
  return (
    <Stack>
      <p>{texts.lead}</p>
      {signIn.refusal && <Failure sentence={texts.failed} fault={signIn.refusal} />}
      <WorkButton busy={signIn.isWorking} onClick={() => signIn.attempt({ body: { code } })}>
        {texts.submit}
      </WorkButton>
    </Stack>
  )
}

/** `takesFocus`: it replaces the button that had the focus. */
function InvalidLink({ takesFocus = false }: { takesFocus?: boolean }) {
  return (
    <Trouble
      action={
        <LinkButton to="/login" ref={takesFocus ? focus : undefined}>
          {texts.toLogin}
        </LinkButton>
      }
    >
      {texts.invalid}
    </Trouble>
  )
}

const focus = (link: HTMLAnchorElement | null) => link?.focus()
