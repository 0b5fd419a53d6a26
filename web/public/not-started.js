// When the app's own code does not arrive, the page would stay white: nothing of the app is there to say so.
;(() => {
  let isWaiting = false
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && tell(), true)
  // On the page that is shown without a line it is said from the start.
  addEventListener(
    'DOMContentLoaded',
    () => document.getElementById('not-started')?.hidden === false && tell(),
  )

  function tell() {
    const place = document.getElementById('not-started')
    if (!place || isWaiting || document.getElementById('root')?.hasChildNodes()) return
    isWaiting = true
    place.hidden = false
    place.querySelector('button').addEventListener('click', () => goOn())
    addEventListener('online', () => goOn())
    // A file that never arrives must not reload the page without end.
    setInterval(() => document.visibilityState === 'visible' && goOn(), 15_000)
  }

  /** Without a line, a reload would end at the browser's error page. */
  function goOn() {
    fetch('/health/live', { cache: 'no-store' }).then(
      ({ ok }) => ok && location.reload(),
      () => {},
    )
  }
})()
