export type NavigationTarget = { redirectURL?: string | undefined; afterVerifying?: string | undefined }

/** A state that the router takes for its own: it would clear one without a key. */
export function entryOf(state: object): object {
  const key = Math.random().toString(36).slice(2, 10)
  return { key, __TSR_key: key, __TSR_index: 0, ...state }
}
