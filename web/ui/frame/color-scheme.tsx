import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import type { ComponentType } from 'react'
import { IconDeviceDesktop, IconMoon, type IconProps, IconSun } from '../icons.tsx'
import { texts } from '../texts.ts'
import classes from './side-toggle.module.css'

type Scheme = 'auto' | 'light' | 'dark'

/** For places outside a menu: the settings page and the public footer. */
export function ColorSchemeControl() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label={texts.colorScheme}
      classNames={classes}
      value={colorScheme}
      onChange={(given) => setColorScheme(isScheme(given) ? given : 'auto')}
      data={schemes.map(({ scheme, word }) => ({ value: scheme, label: word }))}
    />
  )
}

export const isScheme = (given: string): given is Scheme => schemes.some(({ scheme }) => scheme === given)

export const schemes: readonly { scheme: Scheme; word: string; icon: ComponentType<IconProps> }[] = [
  { scheme: 'auto', word: texts.schemeSystem, icon: IconDeviceDesktop },
  { scheme: 'light', word: texts.schemeLight, icon: IconSun },
  { scheme: 'dark', word: texts.schemeDark, icon: IconMoon },
]
