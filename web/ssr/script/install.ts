/** Chromium's own question; other browsers have none, and the steps on the page say how it is done there. */
type InstallQuestion = Event & { prompt(): Promise<unknown> }

/** Download App installs where the browser can (R-everywhere-41); elsewhere its link leads to how it is done by hand. */
export function offerInstalling(): void {
  let question: InstallQuestion | null = null
  addEventListener('beforeinstallprompt', (event) => {
    // Asked when the person wants it, not when the browser thinks so.
    event.preventDefault()
    question = event as InstallQuestion
  })
  addEventListener('click', (event) => {
    const { target } = event
    if (!question || !(target instanceof Element) || !target.closest('[data-install]')) return
    event.preventDefault()
    // It can be asked once; the browser brings another one where there is reason to.
    void question.prompt()
    question = null
  })
}
