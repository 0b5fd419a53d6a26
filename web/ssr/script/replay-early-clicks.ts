/** Replays clicks that `inline-scripts.ts` recorded before this loaded (R-everywhere-43). */
export function replayEarlyClicks(): void {
  const { keyturnEarly } = window as { keyturnEarly?: () => Element[] }
  const pressed = new Set(keyturnEarly?.())
  if (pressed.size === 0) return
  document.querySelector('[data-progress]')?.setAttribute('hidden', '')
  for (const element of pressed) {
    if (element instanceof HTMLFormElement) element.requestSubmit()
    else if (element instanceof HTMLElement) element.click()
  }
}
