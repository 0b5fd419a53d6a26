import type { ReactNode } from 'react'
import { ColorSchemeControl } from '../ui/color-scheme.tsx'
import { PlainLink } from '../ui/link.tsx'
import { Logo } from '../ui/logo.tsx'
import { Page } from '../ui/page.tsx'
import { PublicShell } from '../ui/public-shell.tsx'

type PublicPageProps = {
  title: string
  lead?: ReactNode
  back?: ReactNode
  action?: ReactNode
  width?: 'wizard' | 'list'
  children: ReactNode
}

/** A page of the way in: no menu, the logo leads to the start. */
export function PublicPage({ width = 'wizard', ...page }: PublicPageProps) {
  const logo = (
    <PlainLink to="/">
      <Logo />
    </PlainLink>
  )
  return (
    <PublicShell logo={logo} actions={<ColorSchemeControl />}>
      <Page width={width} {...page} />
    </PublicShell>
  )
}
