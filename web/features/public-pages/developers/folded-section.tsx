import type { ReactNode } from 'react'
import classes from './developers-page.module.css'

type FoldedSectionProps = { id: string; title: ReactNode; subtitle?: ReactNode; children: ReactNode }

/**
 * Opens without a script. The id is inside the fold: browsers open the fold around the target of a
 * link, but not one that is the target itself. `expandLinkedSection` does it for older browsers.
 */
export const FoldedSection = ({ id, title, subtitle, children }: FoldedSectionProps) => (
  <details className={classes.fold}>
    <summary className={classes.summary}>
      <h3 className={classes.foldTitle}>{title}</h3>
      {subtitle && <span className={classes.subtitle}>{subtitle}</span>}
    </summary>
    <div id={id} className={classes.foldContent}>
      {children}
    </div>
  </details>
)
