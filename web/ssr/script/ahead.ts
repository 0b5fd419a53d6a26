/** Fetches the app's files while the page is read, so that Log In and Buy This Car answer at once (R-everywhere-35). */
export function fetchAhead(): void {
  const files = document.body.dataset.ahead?.split(' ') ?? []
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (files.length === 0 || connection?.saveData) return
  if (document.readyState === 'complete') whenIdle(files)
  else addEventListener('load', () => whenIdle(files))
}

function whenIdle(files: readonly string[]): void {
  const begin = () => document.head.append(...files.map(hintOf))
  if ('requestIdleCallback' in window) requestIdleCallback(begin, { timeout: 3000 })
  else setTimeout(begin, 1000)
}

function hintOf(file: string): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = 'prefetch'
  link.href = file
  return link
}
