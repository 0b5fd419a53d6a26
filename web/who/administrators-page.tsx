import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Spinner } from '../ui/feedback/spinner.tsx'
import { PlainLink } from '../ui/frame/link.tsx'
import { Logo } from '../ui/frame/logo.tsx'
import { PublicShell } from '../ui/frame/public-shell.tsx'
import { isAdministratorQuery } from './administrator.ts'

/** A page that an administrator's session opens without an account of its own (R-accounts-40); `orElse` for everybody else. */
export function AdministratorsPage({ orElse }: { orElse: ReactNode }) {
  const asked = useQuery(isAdministratorQuery)
  if (asked.isPending) return <Spinner />
  if (!asked.data) return orElse
  return (
    <PublicShell
      logo={
        <PlainLink to="/dev">
          <Logo />
        </PlainLink>
      }
    >
      <Outlet />
    </PublicShell>
  )
}
