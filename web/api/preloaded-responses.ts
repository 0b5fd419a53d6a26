import { type FirstAnswers, firstAnswersId } from '@keyturn/contract/shared/pages.ts'
import { rememberedPerson } from '../auth/person.ts'

// What the page itself brought along, so that the first screen waits for no call (R-everywhere-44).

const brought = read()
const kept = new Map(Object.entries(brought))

/** After that the server is asked: this page was long in starting. */
const patienceMs = 30_000

/** For the screen that the page was opened at, each once: whatever is asked again or later is asked of the server. */
export function takePreloadedResponse(address: string): FirstAnswers[string] | null {
  if (performance.now() > patienceMs || location.pathname !== openedAt || !isTheirs())
    dropPreloadedResponses()
  const first = kept.get(address)
  kept.delete(address)
  return first ?? null
}

/**
 * What no screen has used by now is too old: something is being changed from this page, or the server has told of a
 * change.
 */
export const dropPreloadedResponses = (): void => kept.clear()

const openedAt = typeof location === 'undefined' ? '' : location.pathname

/** Since the page was sent, this tab or another one may have signed out, or signed in somebody else. */
function isTheirs(): boolean {
  const { _id } = (brought['/user']?.body ?? {}) as { _id?: unknown }
  const here = rememberedPerson()
  return here === null || here === _id
}

function read(): FirstAnswers {
  const place = typeof document === 'undefined' ? null : document.getElementById(firstAnswersId)
  if (!place) return {}
  place.remove()
  return JSON.parse(place.textContent)
}
