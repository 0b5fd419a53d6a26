import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { SimpleGrid, Stack, Text } from '@mantine/core'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { EmailField, PhoneField } from '../../../components/fields/contact-fields.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { VinField } from '../../../components/fields/vin-field.tsx'
import { PasswordField, PasswordParts } from '../password-field.tsx'

const texts = accountTexts.register

type RegisterFormProps = {
  submit: string
  /** Asks a buyer for the seller's VIN, prefilled from the link. */
  asked?: { vin: string; className?: string }
}

/** On /register/seller, /register/buyer and /buy-this-car; `form-scripts.ts` sends it. */
export const RegisterForm = ({ submit, asked }: RegisterFormProps) => (
  // `post` keeps typed values out of the address if the script fails.
  <form method="post" noValidate data-form="register">
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextField label={texts.firstName} name="firstName" autoComplete="given-name" />
        <TextField label={texts.lastName} name="lastName" autoComplete="family-name" />
      </SimpleGrid>
      <EmailField label={texts.email} name="email" />
      <PhoneField label={texts.phoneNumber} name="phoneNumber" />
      <PasswordField
        label={texts.password}
        description={texts.passwordHint}
        name="password"
        autoComplete="new-password"
      />
      <PasswordField label={texts.confirmPassword} name="confirmPassword" autoComplete="new-password" />
      {asked && (
        <div className={asked.className}>
          <VinField label={texts.sellersVin} name="vin" defaultValue={asked.vin} />
        </div>
      )}
      <Text size="sm">
        {texts.agree}{' '}
        <a href="/tos" {...besideTheForm}>
          {texts.terms}
        </a>{' '}
        {texts.and}{' '}
        <a href="/privacy" {...besideTheForm}>
          {texts.privacy}
        </a>
        .
      </Text>
      <WorkButton type="submit">{submit}</WorkButton>
    </Stack>
    <PasswordParts />
  </form>
)

/** Opens a new tab, because leaving this document would lose the typed values. */
const besideTheForm = { target: '_blank', rel: 'noopener' }
