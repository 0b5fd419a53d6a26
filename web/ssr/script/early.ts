/** Carries out what was pressed before this script had arrived (R-everywhere-43); `first-scripts.ts` has kept it. */
export function catchUp(): void {
  const { keyturnEarly } = window as { keyturnEarly?: () => Element[] }
  const pressed = new Set(keyturnEarly?.())
  if (pressed.size === 0) return
  document.querySelector('[data-progress]')?.setAttribute('hidden', '')
  for (const element of pressed) {
    if (element instanceof HTMLFormElement) element.requestSubmit()
    else if (element instanceof HTMLElement) element.click()
  }
}
