import type { User } from '@keyturn/contract/accounts/calls.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Button } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { PublicPage } from '../pages/public-page.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Card } from '../ui/frame/card.tsx'
import { DocumentBackLink } from '../ui/frame/document-link.tsx'
import { TextLink } from '../ui/frame/link.tsx'
import { useAfterLogin, useRememberedVisitor } from '../who/session.tsx'
import { pathAfterLogin, pathOf } from './after-login.ts'
import { LoginForm } from './login-form.tsx'

const texts = accountTexts.login

/** /login; on to the page that sent the person here, if their role may see it (R-accounts-22). */
export function LoginScreen() {
  const { redirectURL } = useLocation().state
  const afterLogin = useAfterLogin()
  const visitor = useRememberedVisitor()
  return (
    <PublicPage title={texts.title} back={<DocumentBackLink href="/">{texts.back}</DocumentBackLink>}>
      {visitor && <SignedInAs user={visitor} goOnTo={pathAfterLogin(visitor, redirectURL)} />}
      {!visitor && redirectURL && pathOf(redirectURL) === '/help' && <HelpIsOpen />}
      <Card>
        <LoginForm
          submit={texts.submit}
          failed={texts.failed}
          onDone={() => afterLogin((user) => pathAfterLogin(user, redirectURL))}
        />
      </Card>
      <p>
        <TextLink to="/register" state={{ redirectURL }}>
          {texts.register}
        </TextLink>
      </p>
    </PublicPage>
  )
}

/** Somebody who is here although they are signed in, perhaps since a moment ago in another tab. */
function SignedInAs({ user, goOnTo }: { user: User; goOnTo: string }) {
  const navigate = useNavigate()
  return (
    <Notice
      kind="info"
      title={texts.signedInAs(fullName(user))}
      action={<Button onClick={() => void navigate({ href: goOnTo })}>{texts.goOn}</Button>}
    >
      {texts.orElse}
    </Notice>
  )
}

const HelpIsOpen = () => (
  <Notice
    kind="info"
    action={
      <Button component="a" variant="default" size="sm" href="/#questions" data-leaves>
        {texts.toQuestions}
      </Button>
    }
  >
    {texts.helpIsOpen}
  </Notice>
)
