/** Chromium's install prompt event. Other browsers have none, and the page lists the steps. */
type InstallQuestion = Event & { prompt(): Promise<unknown> }

/**
 * Makes Download App show the install prompt (R-everywhere-41); without one its link leads to the
 * manual steps.
 */
export function offerInstalling(): void {
  let question: InstallQuestion | null = null
  addEventListener('beforeinstallprompt', (event) => {
    // Prompts when the person asks, not when the browser decides.
    event.preventDefault()
    question = event as InstallQuestion
  })
  addEventListener('click', (event) => {
    const { target } = event
    if (!question || !(target instanceof Element) || !target.closest('[data-install]')) return
    event.preventDefault()
    // An event can prompt only once; the browser may send another one.
    void question.prompt()
    question = null
  })
}
