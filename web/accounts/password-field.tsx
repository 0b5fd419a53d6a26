import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../ui/texts.ts'

type PasswordFieldProps = Omit<PasswordInputProps, 'label'> & {
  label: string
  autoComplete: 'current-password' | 'new-password'
}

/** In the app, and on pages that the server renders, where `sent-form.ts` shows the password as `PasswordParts` does. */
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
  // Keyboard users must be able to check what they typed, too.
  tabIndex: 0,
})

export const PasswordParts = () => (
  <template data-part="password-shown">
    <PasswordInput visible visibilityToggleButtonProps={toggleOf(true)} />
  </template>
)
