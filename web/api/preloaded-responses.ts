import { type PreloadedResponses, preloadedResponsesId } from '@keyturn/contract/shared/pages.ts'
import { rememberedPerson } from '../auth/person.ts'

// Responses embedded in the page, so that the first screen waits for no request (R-everywhere-44).

const brought = read()
const kept = new Map(Object.entries(brought))

/** After this time the page asks the server, because it took too long to start. */
const patienceMs = 30_000

/** Returns each embedded response once, for the first screen. Later requests go to the server. */
export function takePreloadedResponse(address: string): PreloadedResponses[string] | null {
  if (performance.now() > patienceMs || location.pathname !== openedAt || !isTheirs())
    dropPreloadedResponses()
  const first = kept.get(address)
  kept.delete(address)
  return first ?? null
}

/**
 * Drops unused responses, which become stale when this page changes something or an event arrives.
 */
export const dropPreloadedResponses = (): void => kept.clear()

const openedAt = typeof location === 'undefined' ? '' : location.pathname

/**
 * Whether the responses belong to the current person. Another tab may have signed out or signed in
 * somebody else.
 */
function isTheirs(): boolean {
  const { _id } = (brought['/user']?.body ?? {}) as { _id?: unknown }
  const here = rememberedPerson()
  return here === null || here === _id
}

function read(): PreloadedResponses {
  const place = typeof document === 'undefined' ? null : document.getElementById(preloadedResponsesId)
  if (!place) return {}
  place.remove()
  return JSON.parse(place.textContent)
}
