import { type PreloadedResponses, preloadedResponsesId } from '@keyturn/contract/shared/pages.ts'
import { rememberedPerson } from '../auth/remembered-person.ts'

// Responses embedded in the page, so that the first screen waits for no request (R-everywhere-44).

const preloaded = readPreloaded()
const unused = new Map(Object.entries(preloaded))

/** After this time the page asks the server, because it took too long to start. */
const maxAgeMs = 30_000

/** Returns each embedded response once, for the first screen. Later requests go to the server. */
export function consumePreloadedResponse(address: string): PreloadedResponses[string] | null {
  if (performance.now() > maxAgeMs || location.pathname !== initialPath || !isSamePerson())
    dropPreloadedResponses()
  const first = unused.get(address)
  unused.delete(address)
  return first ?? null
}

/** Drops unused responses, which become stale when something changes. */
export const dropPreloadedResponses = (): void => unused.clear()

const initialPath = typeof location === 'undefined' ? '' : location.pathname

/** Another tab may have signed out or signed in somebody else in the meantime. */
function isSamePerson(): boolean {
  const { _id } = (preloaded['/user']?.body ?? {}) as { _id?: unknown }
  const here = rememberedPerson()
  return here === null || here === _id
}

function readPreloaded(): PreloadedResponses {
  const place = typeof document === 'undefined' ? null : document.getElementById(preloadedResponsesId)
  if (!place) return {}
  place.remove()
  return JSON.parse(place.textContent)
}
