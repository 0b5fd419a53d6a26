/** Chromium's install prompt event. Other browsers have none, and the page lists the steps. */
type InstallPromptEvent = Event & { prompt(): Promise<unknown> }

/** Download App shows the install prompt (R-everywhere-41), else leads to manual steps. */
export function offerInstall(): void {
  let promptEvent: InstallPromptEvent | null = null
  addEventListener('beforeinstallprompt', (event) => {
    // Prompts when the person asks, not when the browser decides.
    event.preventDefault()
    promptEvent = event as InstallPromptEvent
  })
  addEventListener('click', (event) => {
    const { target } = event
    if (!promptEvent || !(target instanceof Element) || !target.closest('[data-install]')) return
    event.preventDefault()
    // An event can prompt only once; the browser may send another one.
    void promptEvent.prompt()
    promptEvent = null
  })
}
