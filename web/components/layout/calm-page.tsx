import type { ReactNode } from 'react'
import { Trouble } from '../feedback/trouble.tsx'
import { Logo } from './logo.tsx'
import { Page } from './page.tsx'
import { PublicShell } from './public-shell.tsx'

type CalmPageProps = {
  title: string
  children: ReactNode
  onRetry: () => unknown
  retry?: string
  isInside?: boolean
}

export function CalmPage({ title, children, onRetry, retry, isInside }: CalmPageProps) {
  const page = (
    <Page title={title} width="wizard">
      <Trouble onRetry={onRetry} retry={retry}>
        {children}
      </Trouble>
    </Page>
  )
  return isInside ? page : <PublicShell logo={<Logo />}>{page}</PublicShell>
}
