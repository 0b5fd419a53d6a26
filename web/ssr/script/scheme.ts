import { readStored, writeStored } from '../../api/storage.ts'

const storageKey = 'keyturn-color-scheme'

/** The switch in the footer; the app keeps the choice under the same key. */
export function chooseScheme(): void {
  const place = document.querySelector('[data-schemes]')
  const chosen = place?.querySelector<HTMLInputElement>(`[value="${read()}"]`)
  if (chosen) chosen.checked = true
  place?.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) apply(target.value)
  })
}

/** The fields of forms want to be told the scheme that the system has, too. */
export function followSystem(): void {
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
