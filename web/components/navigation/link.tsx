import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { IconArrowLeft } from '../icons.tsx'
import type { SideName } from '../theme/theme.ts'
import classes from './link.module.css'

type LinkRest<P> = P & Omit<ComponentPropsWithRef<'a'>, keyof P>

/** A link that looks like a button; for navigation, not for actions. */
export const LinkButton = createLink((props: LinkRest<ButtonProps>) => <Button component="a" {...props} />)

export const TextLink = createLink((props: LinkRest<AnchorProps>) => <Anchor component="a" {...props} />)

export const BackLink = createLink(({ children, ...rest }: ComponentPropsWithRef<'a'>) => (
  <a {...rest} className={classes.back}>
    <IconArrowLeft size={18} stroke={1.75} />
    {children}
  </a>
))

/** Makes a whole row, card or logo a link with its own style. */
export const PlainLink = createLink(({ className, ...rest }: ComponentPropsWithRef<'a'>) => (
  <a {...rest} className={className ? `${classes.plain} ${className}` : classes.plain} />
))

type HomeLinkProps = { side: SideName; children: ReactNode }

export const BackToHomeLink = ({ side, children }: HomeLinkProps) => (
  <BackLink to="/home" search={{ view: side }}>
    {children}
  </BackLink>
)

export const HomeButton = ({ side, ...rest }: HomeLinkProps & Pick<ButtonProps, 'variant'>) => (
  <LinkButton to="/home" search={{ view: side }} {...rest} />
)
