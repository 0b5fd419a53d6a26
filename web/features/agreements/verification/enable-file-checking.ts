import { verificationTexts as texts } from '@keyturn/contract/agreements/verification/verification-texts.ts'

/** Enables choosing and dropping files. The code that checks them is loaded with the first file. */
export function enableFileChecking(): void {
  const drop = document.querySelector<HTMLElement>('[data-verify-drop]')
  const input = document.querySelector<HTMLInputElement>('[data-verify-files]')
  if (!drop || !input) return
  drop.hidden = false
  const check = async (files: FileList | null | undefined) => {
    if (!files || files.length === 0) return
    // Clearing the field empties the list too, and lets the same file be chosen again.
    const chosen = [...files]
    input.value = ''
    showStatus(texts.files.checking)
    const { checkFiles } = await import('./check-files.ts')
    await checkFiles(chosen)
    showStatus('')
  }
  input.addEventListener('change', () => void check(input.files))
  // The browser would open a file that is dropped anywhere else instead of this page.
  for (const kind of ['dragover', 'drop'] as const)
    addEventListener(kind, (event) => {
      event.preventDefault()
      drop.toggleAttribute('data-over', kind === 'dragover')
      if (kind === 'drop') void check(event.dataTransfer?.files)
    })
  addEventListener('dragleave', () => drop.removeAttribute('data-over'))
}

function showStatus(text: string): void {
  const status = document.querySelector('[data-verify-status]')
  if (status) status.textContent = text
}
