import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import classes from './app-shell.module.css'

type AppShellProps = {
  logo: ReactNode
  actions?: ReactNode
  /** Between header and page: "Some updates could not be saved". */
  banner?: ReactNode
  children: ReactNode
}

export function AppShell({ logo, actions, banner, children }: AppShellProps) {
  return (
    <div className={classes.frame}>
      <SkipLink />
      <header className={classes.header} data-print="hide">
        <div className={classes.bar}>
          {logo}
          {actions && <div className={classes.actions}>{actions}</div>}
        </div>
      </header>
      {banner && (
        <div className={classes.banner} data-print="hide">
          {banner}
        </div>
      )}
      <main id={mainId} tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </div>
  )
}

export const mainId = 'content'

export function SkipLink() {
  return (
    <a className={classes.skip} href={`#${mainId}`} data-print="hide">
      {texts.skipToContent}
    </a>
  )
}
