import { type ComponentType, use, useEffect, useEffectEvent, useState } from 'react'
import { writeStored } from '../../api/storage.ts'
import { Spinner } from '../feedback/spinner.tsx'
import { isReachable, useOnReconnect } from '../feedback/use-on-reconnect.ts'
import { texts } from '../texts.ts'
import { ErrorPage } from './error-page.tsx'

type Where = { isInside: boolean }

/**
 * Creates a screen whose code is loaded on first use. The router's own lazy loading reloads the
 * document on failure, which would end at the browser's error page when offline.
 */
export function lazyScreen<Name extends string>(
  importer: () => Promise<{ readonly [key in Name]: ComponentType }>,
  name: Name,
  { isInside }: Where = { isInside: false },
) {
  const code: Code = { loaded: null, hasFailed: false, loading: null, isInside }
  const preload = (): Promise<void> => {
    code.loading ??= importer().then(
      (module) => {
        code.loaded = module[name]
      },
      () => {
        code.hasFailed = true
      },
    )
    return code.loading
  }
  return Object.assign(() => <Screen code={code} preload={preload} />, { preload })
}

type Code = {
  loaded: ComponentType | null
  hasFailed: boolean
  loading: Promise<void> | null
  isInside: boolean
}

function Screen({ code, preload }: { code: Code; preload: () => Promise<void> }) {
  const { loaded: Loaded } = code
  if (Loaded) return <Loaded />
  // A second attempt would lack the styles, because the build requests each file only once. Only a
  // reload helps.
  if (code.hasFailed) return <NotLoaded isInside={code.isInside} />
  use(preload())
  return null
}

/** Shown when the code of a screen could not be loaded: offline, or replaced by a newer build. */
function NotLoaded({ isInside }: Where) {
  const [isShown, setShown] = useState(false)
  const reloadOrShow = async () => {
    if (mayReload() && (await isReachable())) reload()
    else setShown(true)
  }
  const atOnce = useEffectEvent(reloadOrShow)
  useEffect(() => void atOnce(), [])
  useOnReconnect(() => mayReload() && reload())
  if (!isShown) return <Spinner />
  return (
    <ErrorPage title={texts.notLoaded} isInside={isInside} onRetry={tryAgain}>
      {texts.checkConnection} {texts.byItself}
    </ErrorPage>
  )
}

/** While offline, a reload would end at the browser's error page. */
const tryAgain = async () => {
  if (await isReachable()) reload()
}

function reload(): void {
  writeStored(storageKey, String(Date.now()), 'sessionStorage')
  location.reload()
}

/** Limits reloads, because a permanently missing file must not reload the page forever. */
function mayReload(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(storageKey)) > minIntervalMs
  } catch {
    // Storage is blocked, so it is unknown whether this page was just reloaded.
    return false
  }
}

const storageKey = 'keyturn-reloaded'
const minIntervalMs = 30_000
