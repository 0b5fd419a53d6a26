import { readStored, writeStored } from '../api/storage.ts'

/**
 * What somebody was typing when the page was taken from them: their session ended, or the page was loaded again. It
 * stays in this tab's storage until the same person is back at the same address, and goes when they sign out. Leaving a
 * form keeps nothing, so that an old draft never meets a newer row; only a message meets none.
 */
export type Draft = Readonly<Record<string, unknown>>
type Drafts = { of: string; forms: Record<string, Draft> }

export function saveDraft(of: string, form: string, values: Draft): void {
  if (isForgotten) return
  const kept = readDrafts()
  write({ of, forms: { ...(kept?.of === of ? kept.forms : {}), [form]: values } })
}

export function takeDraft(of: string, form: string): Draft | null {
  const kept = readDrafts()
  if (kept?.of !== of) return null
  const { [form]: draft = null, ...others } = kept.forms
  write({ of, forms: others })
  return draft
}

/** For good: the page that is about to be left keeps nothing either. */
export function deleteDrafts(): void {
  isForgotten = true
  write(null)
}

/** Somebody is signed in, whose drafts are kept from now on. */
export function deleteDraftsOfOthers(id: string): void {
  isForgotten = false
  if (readDrafts()?.of !== id) write(null)
}

const storageKey = 'keyturn-drafts'
let isForgotten = false

function readDrafts(): Drafts | null {
  try {
    return JSON.parse(readStored(storageKey, 'sessionStorage') ?? 'null')
  } catch {
    // The text is not ours.
    return null
  }
}

const write = (drafts: Drafts | null): void =>
  writeStored(storageKey, drafts && JSON.stringify(drafts), 'sessionStorage')
