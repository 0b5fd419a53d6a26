import { type ReactNode, useEffect, useState } from 'react'
import frame from './app-shell.module.css'
import { mainId, SkipLink } from './app-shell.tsx'
import classes from './public-shell.module.css'

type PublicShellProps = { logo: ReactNode; actions?: ReactNode; footer?: ReactNode; children: ReactNode }

export function PublicShell({ logo, actions, footer, children }: PublicShellProps) {
  const isScrolled = useScrolledPast(20)
  return (
    <div className={frame.frame}>
      <SkipLink />
      <header className={`${frame.header} ${classes.header}`} data-scrolled={isScrolled} data-print="hide">
        <div className={frame.bar}>
          {logo}
          {actions && <div className={`${frame.actions} ${classes.actions}`}>{actions}</div>}
        </div>
      </header>
      <main id={mainId} tabIndex={-1} className={frame.main}>
        {children}
      </main>
      {footer && (
        <footer className={classes.footer} data-print="hide">
          <div className={classes.footerBar}>{footer}</div>
        </footer>
      )}
    </div>
  )
}

/** The header is flat until the page scrolls under it (R-everywhere-29). */
function useScrolledPast(px: number): boolean {
  const [isPast, setPast] = useState(false)
  useEffect(() => {
    const look = () => setPast(window.scrollY > px)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [px])
  return isPast
}
