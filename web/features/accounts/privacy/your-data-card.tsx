import { privacyTexts as texts } from '@keyturn/contract/accounts/privacy/privacy-texts.ts'
import { Card } from '../../../components/layout/card.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'

/** Leads to what is stored about the person (R-accounts-50). */
export const YourDataCard = () => (
  <Card
    title={texts.title}
    action={
      <LinkButton variant="default" to="/settings/data">
        {texts.open}
      </LinkButton>
    }
  >
    <p>{texts.cardLead}</p>
  </Card>
)
