import type { MantineThemeComponents } from '@mantine/core'
import { texts } from '../texts.ts'
import classes from './theme.module.css'

const appear = { duration: 200, exitDuration: 120, timingFunction: 'ease-out' }
const field = { size: 'md' }

/** Defaults for Mantine's components, so that screens do not repeat them. */
export const themeComponents: MantineThemeComponents = {
  Button: {
    defaultProps: { size: 'md' },
    classNames: { root: classes.button, inner: classes.buttonInner, label: classes.buttonLabel },
  },
  ActionIcon: {
    defaultProps: { variant: 'subtle', color: 'gray', size: 'xl' },
    classNames: { root: classes.icon },
  },
  CloseButton: { defaultProps: { size: 44, iconSize: 20, 'aria-label': texts.close } },
  ModalRoot: { defaultProps: { centered: true, transitionProps: { transition: 'fade-up', ...appear } } },
  ModalOverlay: { defaultProps: { color: 'var(--kt-backdrop)', backgroundOpacity: 1 } },
  ModalCloseButton: { defaultProps: { size: 44, iconSize: 20, 'aria-label': texts.close } },
  Menu: {
    defaultProps: {
      shadow: 'md',
      withInitialFocusPlaceholder: false,
      transitionProps: { transition: 'fade-down', ...appear },
    },
  },
  Popover: { defaultProps: { shadow: 'md', transitionProps: { transition: 'fade-down', ...appear } } },
  Tooltip: { defaultProps: { transitionProps: { transition: 'fade', ...appear } } },
  Input: { defaultProps: field, classNames: { wrapper: classes.field, input: classes.input } },
  InputWrapper: {
    defaultProps: { ...field, withAsterisk: false },
    classNames: { label: classes.label, description: classes.description, error: classes.error },
  },
  TextInput: { defaultProps: field },
  Textarea: { defaultProps: field },
  PasswordInput: { defaultProps: field },
  Checkbox: { defaultProps: { size: 'sm', radius: 'xs' }, classNames: { input: classes.check } },
  SegmentedControl: {
    defaultProps: { transitionDuration: 160, transitionTimingFunction: 'ease-out' },
    classNames: { control: classes.segment, label: classes.segment },
  },
  Tabs: { classNames: { tab: classes.tab } },
  Anchor: { defaultProps: { underline: 'always' }, classNames: { root: classes.anchor } },
  Skeleton: { defaultProps: { radius: 'sm' }, classNames: { root: classes.skeleton } },
}
