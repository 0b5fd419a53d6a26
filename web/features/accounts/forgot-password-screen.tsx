import { forgotPassword } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Card } from '../../components/layout/card.tsx'
import { BackLink } from '../../components/navigation/link.tsx'
import { PublicPage } from '../public-pages/public-page.tsx'
import { EmailForm } from './email-form.tsx'

const texts = accountTexts.forgot

export function ForgotPasswordScreen() {
  return (
    <PublicPage title={texts.title} lead={texts.lead} back={<BackLink to="/login">{texts.back}</BackLink>}>
      <Card>
        <EmailForm call={forgotPassword} texts={texts} />
      </Card>
    </PublicPage>
  )
}
