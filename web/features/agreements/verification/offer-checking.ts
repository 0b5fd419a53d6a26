import { verificationTexts as texts } from '@keyturn/contract/agreements/verification/verification-texts.ts'

/** Files can be chosen or dropped once this has run; what checks them is loaded with the first. */
export function offerChecking(): void {
  const drop = document.querySelector<HTMLElement>('[data-verify-drop]')
  const input = document.querySelector<HTMLInputElement>('[data-verify-files]')
  if (!drop || !input) return
  drop.hidden = false
  const check = async (files: FileList | null | undefined) => {
    if (!files || files.length === 0) return
    // The list is emptied with the field, so that the same file can be chosen again.
    const chosen = [...files]
    input.value = ''
    say(texts.files.checking)
    const { checkFiles } = await import('./check-files.ts')
    await checkFiles(chosen)
    say('')
  }
  input.addEventListener('change', () => void check(input.files))
  // Dropped beside it, a file would open in place of the page.
  for (const kind of ['dragover', 'drop'] as const)
    addEventListener(kind, (event) => {
      event.preventDefault()
      drop.toggleAttribute('data-over', kind === 'dragover')
      if (kind === 'drop') void check(event.dataTransfer?.files)
    })
  addEventListener('dragleave', () => drop.removeAttribute('data-over'))
}

function say(text: string): void {
  const status = document.querySelector('[data-verify-status]')
  if (status) status.textContent = text
}
