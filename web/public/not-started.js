// Shows a message if the app's code does not load. Otherwise the page would stay blank.
;(() => {
  let isWaiting = false
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && tell(), true)
  // On the offline page, the message is visible from the start.
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
    // Limits how often a file that never loads makes the page reload.
    setInterval(() => document.visibilityState === 'visible' && goOn(), 15_000)
  }

  /** While offline, a reload would end at the browser's error page. */
  function goOn() {
    fetch('/health/live', { cache: 'no-store' }).then(
      ({ ok }) => ok && location.reload(),
      () => {},
    )
  }
})()
