/** Chromium's install prompt event. Other browsers have none, so the page lists the steps. */
type InstallPromptEvent = Event & { prompt(): Promise<unknown> }

/**
 * "Download App" shows the install prompt if there is one (R-everywhere-41); otherwise it leads to
 * the manual steps.
 */
export function offerInstall(): void {
  let promptEvent: InstallPromptEvent | null = null
  addEventListener('beforeinstallprompt', (event) => {
    // Keeps the browser from prompting on its own, so that the person decides when to install.
    event.preventDefault()
    promptEvent = event as InstallPromptEvent
  })
  addEventListener('click', (event) => {
    const { target } = event
    if (!(target instanceof Element) || !target.closest('[data-install]')) return
    if (!promptEvent) return document.querySelector('details:has(#app)')?.setAttribute('open', '')
    event.preventDefault()
    // An event can prompt only once, but the browser may send another one.
    void promptEvent.prompt()
    promptEvent = null
  })
}
