import { MantineThemeProvider } from '@mantine/core'
import { createContext, type ReactNode, use } from 'react'
import classes from './side.module.css'
import { type SideName, sideTheme } from './theme.ts'

const SideContext = createContext<SideName>('selling')

/** Everything inside is drawn for the selling (pine) or the buying (ink) side. */
export function Side({ side, children }: { side: SideName; children: ReactNode }) {
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

/** For what leaves its place in the document (dialogs) and would lose the side's colour there. */
export const useSide = (): SideName => use(SideContext)
