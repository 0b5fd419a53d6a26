import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import classes from '../navigation/side-toggle.module.css'
import { texts } from '../texts.ts'

type Scheme = (typeof texts.schemes)[number]['scheme']

/** The choice applies to every page in this browser (R-everywhere-62). */
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

const isScheme = (given: string): given is Scheme => texts.schemes.some(({ scheme }) => scheme === given)
