import { currentGeneration, renewSession } from '../../api/renew-session.ts'
import { readStored } from '../../api/storage.ts'

/**
 * The server knows visitors by a ten-minute cookie, which browsers omit on cross-site navigation.
 * If somebody has signed in with this browser, the page is fetched again, and its personal parts
 * replace those for strangers (R-everywhere-28).
 */
export function showVisitor(): void {
  if (rememberedPersonId() && !isKnown(document)) void refetchForVisitor()
  addEventListener('storage', ({ key }) => {
    if (key === personKey || key === null) void refetchPage()
  })
  const here = rememberedPersonId()
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && rememberedPersonId() !== here) void refetchPage()
  })
}

async function refetchForVisitor(): Promise<void> {
  if (await refetchPage()) return
  // On /car, an expired session is not renewed (R-accounts-32).
  if (
    location.pathname !== '/car' &&
    (await renewSession('user', currentGeneration('user')).catch(() => false))
  )
    await refetchPage()
}

/** Returns whether the server knew the visitor. A failure leaves the page unchanged. */
async function refetchPage(): Promise<boolean> {
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (isKnown(page) || isKnown(document)) replaceParts(page)
    return isKnown(page)
  } catch {
    return false
  }
}

/** Replaces the parts that depend on the visitor; the chosen side stays. */
function replaceParts(page: Document): void {
  const photos = document.querySelector('dialog[open]')
  if (photos) {
    photos.addEventListener('close', () => replaceParts(page), { once: true })
    return
  }
  // Parts that have been rendered must not be deferred again.
  for (const part of page.querySelectorAll('[data-later]')) part.removeAttribute('data-later')
  const side = document.querySelector<HTMLInputElement>(sides)?.value
  for (const part of ['header', 'main']) {
    const [old, next] = [document.querySelector(part), page.querySelector(part)]
    if (old && next) old.replaceChildren(...next.childNodes)
  }
  const chosen = document.querySelector<HTMLInputElement>(`[name="side"][value="${side}"]`)
  if (chosen) chosen.checked = true
  document.title = page.title
  document.documentElement.dataset.visitor = page.documentElement.dataset.visitor
}

const sides = '[name="side"]:checked'
const personKey = 'keyturn-person'
const isKnown = ({ documentElement }: Document) => documentElement.dataset.visitor === 'known'

const rememberedPersonId = () => readStored(personKey) ?? ''
