import { readStored, writeStored } from '../../api/storage.ts'

const storageKey = 'keyturn-color-scheme'

/** Runs the switch in the footer. The app stores the choice under the same key. */
export function enableSchemeSwitch(): void {
  const place = document.querySelector('[data-schemes]')
  const chosen = place?.querySelector<HTMLInputElement>(`[value="${read()}"]`)
  if (chosen) chosen.checked = true
  place?.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) apply(target.value)
  })
}

/** Updates the scheme attribute, which form fields need even for the system's scheme. */
export function followSystemScheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => {
    if (read() === 'auto')
      document.documentElement.dataset.mantineColorScheme = system.matches ? 'dark' : 'light'
  }
  system.addEventListener('change', follow)
  document.querySelector('[data-schemes]')?.addEventListener('change', () => queueMicrotask(follow))
}

function apply(scheme: string): void {
  const { dataset } = document.documentElement
  if (scheme === 'auto') delete dataset.mantineColorScheme
  else dataset.mantineColorScheme = scheme
  writeStored(storageKey, scheme)
}

const read = () => readStored(storageKey) ?? 'auto'
