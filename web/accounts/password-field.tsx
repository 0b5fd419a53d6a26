import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../ui/texts.ts'

type PasswordFieldProps = Omit<PasswordInputProps, 'label'> & {
  label: string
  autoComplete: 'current-password' | 'new-password'
}

export function PasswordField(props: PasswordFieldProps) {
  const [isVisible, setVisible] = useState(false)
  return (
    <PasswordInput
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      visible={isVisible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{
        'aria-label': isVisible ? texts.hidePassword : texts.showPassword,
        'aria-pressed': isVisible,
        // Keyboard users must be able to check what they typed, too.
        tabIndex: 0,
      }}
    />
  )
}
