import { runWhenIdle } from './run-when-idle.ts'

/**
 * Prefetches the app's files, so that Log In and Buy This Car respond quickly (R-everywhere-35).
 * Starts with the first interaction or after some seconds, because the page itself has priority.
 */
export function prefetchApp(): void {
  const { ahead } = document.body.dataset
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (!ahead || connection?.saveData) return
  if (document.readyState === 'complete') prefetchOnInteraction(ahead)
  else addEventListener('load', () => prefetchOnInteraction(ahead))
}

const interactions = ['pointerdown', 'pointermove', 'keydown', 'scroll'] as const
const maxDelayMs = 3000

function prefetchOnInteraction(list: string): void {
  const waiting = new AbortController()
  const begin = () => {
    if (waiting.signal.aborted) return
    waiting.abort()
    void readList(list)
  }
  for (const sign of interactions) addEventListener(sign, begin, { passive: true, signal: waiting.signal })
  setTimeout(begin, maxDelayMs)
}

async function readList(list: string): Promise<void> {
  const answer = await fetch(list).catch(() => null)
  if (answer?.ok) addHints(await answer.json())
}

/** Adds a few hints at a time, because adding all together would delay a tap. */
function addHints(files: readonly string[]): void {
  if (files.length === 0) return
  runWhenIdle(() => {
    document.head.append(...files.slice(0, 8).map(hintOf))
    addHints(files.slice(8))
  })
}

function hintOf(file: string): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = 'prefetch'
  link.href = file
  return link
}
