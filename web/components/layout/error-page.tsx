import type { ReactNode } from 'react'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { Logo } from './logo.tsx'
import { Page } from './page.tsx'
import { PublicShell } from './public-shell.tsx'

type MessagePageProps = {
  title: string
  children: ReactNode
  onRetry: () => unknown
  retry?: string
  isInside?: boolean
}

export function ErrorPage({ title, children, onRetry, retry, isInside }: MessagePageProps) {
  const page = (
    <Page title={title} width="wizard">
      <ErrorNotice onRetry={onRetry} retry={retry}>
        {children}
      </ErrorNotice>
    </Page>
  )
  return isInside ? page : <PublicShell logo={<Logo />}>{page}</PublicShell>
}
