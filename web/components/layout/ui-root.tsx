import '../theme/styles.ts'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { LiveRegion } from '../feedback/notice.tsx'
import { cssVariables, theme } from '../theme/theme.ts'
import { themeComponents } from '../theme/theme-components.ts'

// `color-scheme.js` reads the same key before the first paint, so the two must match.
const schemes = localStorageColorSchemeManager({ key: 'keyturn-color-scheme' })

const withComponents = { ...theme, components: themeComponents }

/** Rendered once, around the whole app: theme, color scheme and live region. */
export function UiRoot({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={withComponents}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      {children}
      <LiveRegion />
    </MantineProvider>
  )
}
