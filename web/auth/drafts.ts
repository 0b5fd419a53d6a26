import { readStored, writeStored } from '../api/storage.ts'

/**
 * Drafts of forms that were interrupted by the end of the session or a reload. A draft stays in
 * this tab's storage until the same person is back at the same address, and is deleted at sign-out.
 * Leaving a form stores nothing, so that an old draft never meets a newer row; messages are the
 * exception.
 */
export type FormDraft = Readonly<Record<string, unknown>>
type Drafts = { of: string; forms: Record<string, FormDraft> }

export function saveDraft(of: string, form: string, values: FormDraft): void {
  if (isForgotten) return
  const stored = readDrafts()
  write({ of, forms: { ...(stored?.of === of ? stored.forms : {}), [form]: values } })
}

export function popDraft(of: string, form: string): FormDraft | null {
  const stored = readDrafts()
  if (stored?.of !== of) return null
  const { [form]: draft = null, ...others } = stored.forms
  write({ of, forms: others })
  return draft
}

/** Deletes all drafts for good: this page stores no more, even while it is being closed. */
export function deleteDrafts(): void {
  isForgotten = true
  write(null)
}

/**
 * Deletes the drafts of other people after a sign-in. From then on, drafts are stored for this
 * person.
 */
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
    // The stored text has another format.
    return null
  }
}

const write = (drafts: Drafts | null): void =>
  writeStored(storageKey, drafts && JSON.stringify(drafts), 'sessionStorage')
