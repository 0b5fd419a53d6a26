import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { useLocation } from '@tanstack/react-router'
import { PublicPage } from '../pages/public-page.tsx'
import { Card } from '../ui/frame/card.tsx'
import { BackLink, TextLink } from '../ui/frame/link.tsx'
import { useAfterLogin } from '../who/session.tsx'
import { pathAfterLogin } from './after-login.ts'
import { LoginForm } from './login-form.tsx'

const texts = accountTexts.login

/** /login; on to the page that sent the person here, if their role may see it (R-accounts-22). */
export function LoginScreen() {
  const { redirectURL } = useLocation().state
  const afterLogin = useAfterLogin()
  return (
    <PublicPage title={texts.title} back={<BackLink to="/">{texts.back}</BackLink>}>
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
