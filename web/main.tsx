import './auth/redirect-from-referrer.ts'
import './api/no-eval.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { administratorKey, watchPerson } from './auth/remembered-person.ts'
import { StaleNotice } from './components/layout/stale-notice.tsx'
import { UiRoot } from './components/layout/ui-root.tsx'
import { onPushClick } from './features/notifications/push/on-push-click.ts'
import { NewVersion } from './pwa/new-version.tsx'
import { router } from './routes.tsx'

// See R-everywhere-27. 'always' reports immediately that the browser is offline, but would turn off
// `refetchOnReconnect` by default.
const client = new QueryClient({
  defaultOptions: {
    queries: { retry: false, gcTime: 5 * 60_000, networkMode: 'always', refetchOnReconnect: true },
    mutations: { networkMode: 'always' },
  },
})
onPushClick((path) => void router.navigate({ href: path }))
watchPerson(client, () => {
  // These two pages have their own sign-in forms.
  const hasSignInForm = ['/dev', '/dealer'].includes(router.state.location.pathname)
  if (!hasSignInForm) return void router.navigate({ to: '/dev' })
  const wasRead = client.getQueriesData({ queryKey: administratorKey }).some(([, data]) => data !== undefined)
  if (wasRead) void client.resetQueries({ queryKey: administratorKey })
})

const container = document.getElementById('root')
if (container) {
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <UiRoot>
          <RouterProvider router={router} />
          <StaleNotice router={router} />
          <NewVersion />
        </UiRoot>
      </QueryClientProvider>
    </StrictMode>,
  )
}
