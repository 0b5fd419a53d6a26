import type { ComponentPropsWithoutRef } from 'react'
import { IconArrowLeft } from '../icons.tsx'
import classes from './link.module.css'

// Links to server-rendered pages, which load a document. In the app, `data-leaves` starts the
// progress bar at the top (R-everywhere-35).

type LinkProps = ComponentPropsWithoutRef<'a'> & { href: string }

/** Makes a whole row, card or logo a link with its own style. */
export const DocumentLink = ({ className, ...rest }: LinkProps) => (
  <a {...rest} data-leaves className={className ? `${classes.plain} ${className}` : classes.plain} />
)

export const DocumentTextLink = (props: LinkProps) => <a {...props} data-leaves />

export const DocumentBackLink = ({ children, ...rest }: LinkProps) => (
  <a {...rest} data-leaves className={classes.back}>
    <IconArrowLeft size={18} stroke={1.75} />
    {children}
  </a>
)
