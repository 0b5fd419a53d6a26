import type { ComponentPropsWithoutRef } from 'react'
import classes from './button-link.module.css'

type Look = { variant?: 'default' | 'subtle'; size?: 'lg' }

/** A link that looks like a button, without the router and the component library. */
export const ButtonLink = ({ variant, size, ...rest }: Look & ComponentPropsWithoutRef<'a'>) => (
  <a {...rest} className={classes.button} data-variant={variant} data-size={size} />
)

export const DisabledButton = ({ children }: { children: string }) => (
  <button type="button" disabled className={classes.button}>
    {children}
  </button>
)
