import { MantineThemeProvider } from '@mantine/core'
import { createContext, type ReactNode, use } from 'react'
import { type SideName, sideTheme } from '../theme/theme.ts'
import classes from './side.module.css'

const SideContext = createContext<SideName>('selling')

/** Applies the theme of the selling (pine) or the buying (ink) side to everything inside. */
export function SideProvider({ side, children }: { side: SideName; children: ReactNode }) {
  return (
    <SideContext value={side}>
      <MantineThemeProvider theme={sideTheme(side)}>
        <div className={classes.side} data-side={side}>
          {children}
        </div>
      </MantineThemeProvider>
    </SideContext>
  )
}

/** For dialogs, which are rendered in a portal and would otherwise lose the side's color. */
export const useSide = (): SideName => use(SideContext)
