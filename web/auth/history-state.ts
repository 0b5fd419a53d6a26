export type NavigationTarget = { redirectURL?: string | undefined; afterVerifying?: string | undefined }

/** Adds a key to a history state, because the router would discard one without it. */
export function createHistoryState(state: object): object {
  const key = Math.random().toString(36).slice(2, 10)
  return { key, __TSR_key: key, __TSR_index: 0, ...state }
}
