import { register } from '@keyturn/contract/accounts/calls.ts'
import type { Side } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { normalizeVin } from '@keyturn/contract/kit/vin.ts'
import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAct } from '../decide/act.ts'
import { useFormAct } from '../decide/form-act.ts'
import { Failure } from '../ui/feedback/failure.tsx'
import { WorkButton } from '../ui/feedback/work-button.tsx'
import { EmailField, PhoneField } from '../ui/fields/contact-fields.tsx'
import { formOf } from '../ui/fields/form.ts'
import { TextField } from '../ui/fields/text-field.tsx'
import { VinField } from '../ui/fields/vin-field.tsx'
import type { CarLink } from '../wire/search.ts'
import { PasswordField } from './password-field.tsx'

const texts = accountTexts.register

type RegisterFormProps = {
  userType: Side
  submit: string
  failed: string
  /** From the page's address: who shared the link, and for which car. */
  hidden?: { otherUserId?: string; userId?: string; vin?: string }
  /** Asks for the seller's VIN, prefilled from the link; for any other VIN the link does not tell the seller. */
  asked?: { vin: string; userId: string }
  /** With the car that the person came for. */
  onDone: (car: CarLink) => Promise<unknown>
}

/** A new account: on /register/seller, /register/buyer and /buy-this-car. */
export function RegisterForm({ userType, submit, failed, hidden, asked, onDone }: RegisterFormProps) {
  const form = useForm({
    // Without its field there is no VIN in the form either: what is wrong with it could not be said.
    ...formOf<Typed>(register.body, { ...typed, ...empty, ...(asked && { vin: asked.vin }) }),
    onValuesChange: ({ firstName, lastName, email, phoneNumber }) => {
      typed = { firstName, lastName, email, phoneNumber }
    },
  })
  const signUp = useAct(register, {
    onDone: (_, { body: { vin, userId } }) => {
      typed = nothing
      return onDone({ vin, userId })
    },
  })
  const { submit: send, trouble } = useFormAct(form, (values) =>
    signUp.act({ body: { ...values, userType, ...sellerOf(values.vin ?? '', asked), ...hidden } }),
  )
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextField label={texts.firstName} autoComplete="given-name" {...form.getInputProps('firstName')} />
          <TextField label={texts.lastName} autoComplete="family-name" {...form.getInputProps('lastName')} />
        </SimpleGrid>
        <EmailField label={texts.email} {...form.getInputProps('email')} />
        <PhoneField label={texts.phoneNumber} {...form.getInputProps('phoneNumber')} />
        <PasswordField
          label={texts.password}
          description={texts.passwordHint}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PasswordField
          label={texts.confirmPassword}
          autoComplete="new-password"
          {...form.getInputProps('confirmPassword')}
        />
        {asked && <VinField label={texts.sellersVin} {...form.getInputProps('vin')} />}
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
        {trouble && <Failure sentence={failed} fault={trouble} />}
        <WorkButton type="submit" busy={signUp.isWorking}>
          {submit}
        </WorkButton>
      </Stack>
    </form>
  )
}

/** Another document in this tab would lose what was typed. */
const besideTheForm = { target: '_blank', rel: 'noopener' }

const sellerOf = (typed: string, asked: RegisterFormProps['asked']) =>
  asked?.vin && normalizeVin(typed) === normalizeVin(asked.vin) ? { userId: asked.userId } : {}

type Typed = typeof nothing & typeof empty & { vin?: string }

const empty = { password: '', confirmPassword: '' }
const nothing = { firstName: '', lastName: '', email: '', phoneNumber: '' }

// Outlives the form, so that switching between seller and buyer does not lose what was typed.
let typed = nothing
