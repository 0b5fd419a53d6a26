import './styles.ts'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { LiveRegion } from './notice.tsx'
import { Side } from './side.tsx'
import { cssVariables, theme } from './theme.ts'

// `color-scheme.js` reads the same key before the first paint.
const schemes = localStorageColorSchemeManager({ key: 'keyturn-color-scheme' })

/** Once, around the whole app: theme, colour scheme, live region and toasts. */
export function UiRoot({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <Side side="selling">
        {children}
        <LiveRegion />
        <Notifications position="bottom-right" limit={3} transitionDuration={160} />
      </Side>
    </MantineProvider>
  )
}
