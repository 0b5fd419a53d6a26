import { verificationTexts as texts } from '@keyturn/contract/agreements/verification/verification-texts.ts'

/** Lets people choose or drop files. The code that checks them is loaded with the first file. */
export function enableFileChecking(): void {
  const drop = document.querySelector<HTMLElement>('[data-verify-drop]')
  const input = document.querySelector<HTMLInputElement>('[data-verify-files]')
  if (!drop || !input) return
  drop.hidden = false
  const check = async (files: FileList | null | undefined) => {
    if (!files || files.length === 0) return
    // Copied, because clearing the field empties the list too. Clearing lets the same file be
    // chosen again.
    const chosen = [...files]
    input.value = ''
    showStatus(texts.files.checking)
    const { checkFiles } = await import('./check-files.ts')
    await checkFiles(chosen)
    showStatus('')
  }
  input.addEventListener('change', () => void check(input.files))
  // Otherwise the browser would leave this page and open a file that was dropped next to the drop
  // area.
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
