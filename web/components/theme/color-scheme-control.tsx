import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import classes from '../navigation/side-toggle.module.css'
import { texts } from '../texts.ts'

type Scheme = (typeof texts.schemes)[number]['scheme']

/** For the settings page and the public footer. */
export function ColorSchemeControl() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label={texts.colorScheme}
      classNames={classes}
      value={colorScheme}
      onChange={(given) => setColorScheme(isScheme(given) ? given : 'auto')}
      data={texts.schemes.map(({ scheme, word }) => ({ value: scheme, label: word }))}
    />
  )
}

export const isScheme = (given: string): given is Scheme =>
  texts.schemes.some(({ scheme }) => scheme === given)
