import { readStored } from '../../api/storage.ts'

/** Updates the scheme attribute, which form fields need even for the system's scheme. */
export function followSystemScheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', () => {
    const chosen = readStored('keyturn-color-scheme') ?? 'auto'
    if (chosen === 'auto')
      document.documentElement.dataset.mantineColorScheme = system.matches ? 'dark' : 'light'
  })
}
