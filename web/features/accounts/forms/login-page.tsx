import { passkeyTexts } from '@keyturn/contract/accounts/passkey-texts.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Anchor, Button, Stack } from '@mantine/core'
import { Notice } from '../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { ButtonLink } from '../../../components/navigation/button-link.tsx'
import { FormFrame } from '../../public-pages/form-frame.tsx'
import { LoginForm } from './login-form.tsx'

const texts = accountTexts.login

type LoginPageProps = {
  /** The address of `ssr/script/passkeys.ts`; null where passkeys do not work. */
  passkeyScript: string | null
}

/** /login. Continues to the page that redirected here, if the role may see it (R-accounts-22). */
export const LoginPage = ({ passkeyScript }: LoginPageProps) => (
  <FormFrame title={texts.title} back={texts.back}>
    <div data-for-visitor hidden>
      {/* Shown to somebody who is already signed in, perhaps just now in another tab. */}
      <Notice kind="info" title={texts.orElse} action={<Button data-go>{texts.goOn}</Button>}>
        {texts.orElse}
      </Notice>
    </div>
    <div data-for-ended hidden>
      <Notice kind="info" title={texts.ended}>
        <span data-kept hidden>
          {texts.draftsKept}
        </span>{' '}
        {texts.goesOn}
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
      <Stack>
        <LoginForm submit={texts.submit} hasPasskeys={passkeyScript !== null} />
        {passkeyScript !== null && (
          <form method="post" data-form="passkey" data-script={passkeyScript}>
            <Stack>
              <WorkButton type="submit" variant="default">
                {passkeyTexts.signIn}
              </WorkButton>
            </Stack>
          </form>
        )}
      </Stack>
    </Card>
    <p>
      <Anchor href="/register/seller" data-carries>
        {texts.register}
      </Anchor>
    </p>
  </FormFrame>
)
