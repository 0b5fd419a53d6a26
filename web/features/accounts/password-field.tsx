import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useState } from 'react'
import { texts } from '../../components/texts.ts'

type PasswordFieldProps = Omit<PasswordInputProps, 'label'> & {
  label: string
  autoComplete: 'current-password' | 'new-password'
}

/**
 * Works in the app and on server-rendered pages, where `forms/form-scripts.ts` shows and hides the
 * password.
 */
export function PasswordField(props: PasswordFieldProps) {
  const [isVisible, setVisible] = useState(false)
  return (
    <PasswordInput
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      visible={isVisible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={toggleOf(isVisible)}
    />
  )
}

const toggleOf = (isVisible: boolean) => ({
  'aria-label': isVisible ? texts.hidePassword : texts.showPassword,
  'aria-pressed': isVisible,
  // Keyboard users must be able to check what they typed as well.
  tabIndex: 0,
})

export const PasswordParts = () => (
  <template data-part="password-shown">
    <PasswordInput visible visibilityToggleButtonProps={toggleOf(true)} />
  </template>
)

type NewPasswordForm = { getInputProps: (name: 'password' | 'confirmPassword') => GetInputPropsReturnType }
type NewPasswordProps = { form: NewPasswordForm; texts: { password: string; confirmPassword: string } }

export const NewPasswordFields = ({ form, texts: labels }: NewPasswordProps) => (
  <>
    <PasswordField
      label={labels.password}
      description={accountTexts.register.passwordHint}
      autoComplete="new-password"
      data-autofocus
      {...form.getInputProps('password')}
    />
    <PasswordField
      label={labels.confirmPassword}
      autoComplete="new-password"
      {...form.getInputProps('confirmPassword')}
    />
  </>
)
