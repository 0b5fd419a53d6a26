import { type ComponentType, use, useEffect, useEffectEvent, useState } from 'react'
import { writeStored } from '../../api/storage.ts'
import { Spinner } from '../feedback/spinner.tsx'
import { isReachable, useIsBackOnline } from '../feedback/use-online.ts'
import { texts } from '../texts.ts'
import { MessagePage } from './message-page.tsx'

type Where = { isInside: boolean }

/**
 * A screen whose code is loaded when it is first opened. The router's own way would load the document again as soon as
 * that fails, which without a network ends at the browser's error page.
 */
export function screen<Name extends string>(
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
  // The styles of a second try would be missing: the build asks for each file once. So only a reload helps.
  if (code.hasFailed) return <NotLoaded isInside={code.isInside} />
  use(preload())
  return null
}

/** The code of a screen did not arrive: the network is away, or a newer build has replaced it. */
function NotLoaded({ isInside }: Where) {
  const [isShown, setShown] = useState(false)
  const goOn = async () => {
    if (mayReload() && (await isReachable())) reload()
    else setShown(true)
  }
  const atOnce = useEffectEvent(goOn)
  useEffect(() => void atOnce(), [])
  useIsBackOnline(() => mayReload() && reload())
  if (!isShown) return <Spinner />
  return (
    <MessagePage title={texts.notLoaded} isInside={isInside} onRetry={tryAgain}>
      {texts.checkConnection} {texts.byItself}
    </MessagePage>
  )
}

/** Where the line is still away, a reload would end at the browser's error page. */
const tryAgain = async () => {
  if (await isReachable()) reload()
}

function reload(): void {
  writeStored(storageKey, String(Date.now()), 'sessionStorage')
  location.reload()
}

/** By itself only once in a while, so that a file which never arrives does not reload the page for ever. */
function mayReload(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(storageKey)) > pauseMs
  } catch {
    // Storage is blocked, so it is not known whether this page was loaded again just now.
    return false
  }
}

const storageKey = 'keyturn-reloaded'
const pauseMs = 30_000
