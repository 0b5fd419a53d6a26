import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Anchor, Button } from '@mantine/core'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { ButtonLink } from '../../../components/navigation/button-link.tsx'
import { FormFrame } from '../../public-pages/form-frame.tsx'
import { LoginForm } from './login-form.tsx'

const texts = accountTexts.login

/** /login. Continues to the page that redirected here, if the role may see it (R-accounts-22). */
export const LoginPage = () => (
  <FormFrame title={texts.title} back={texts.back}>
    <div data-for-visitor hidden>
      {/* Shown to somebody who is already signed in, perhaps just now in another tab. */}
      <Notice kind="info" title={texts.orElse} action={<Button data-go>{texts.goOn}</Button>}>
        {texts.orElse}
      </Notice>
    </div>
    <div data-for-help hidden>
      <Notice
        kind="info"
        action={
          <ButtonLink variant="default" href="/#questions">
            {texts.toQuestions}
          </ButtonLink>
        }
      >
        {texts.helpIsOpen}
      </Notice>
    </div>
    <Card>
      <LoginForm submit={texts.submit} />
    </Card>
    <p>
      <Anchor href="/register/seller" data-carries>
        {texts.register}
      </Anchor>
    </p>
  </FormFrame>
)
