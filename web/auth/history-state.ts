export type NavigationTarget = { redirectURL?: string | undefined; afterVerifying?: string | undefined }

/** Adds the key without which the router would discard a history state. */
export function createHistoryState(state: object): object {
  const key = Math.random().toString(36).slice(2, 10)
  return { key, __TSR_key: key, __TSR_index: 0, ...state }
}
