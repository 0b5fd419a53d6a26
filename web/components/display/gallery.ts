// Also for the script of the pages that the server renders: no React, no component library.
import { photoAddress, photoFormats, photoSources } from '@keyturn/contract/shared/photo-files.ts'

/** Opens the photo that was tapped, among all of its gallery (R-cars-31). */
export function openTapped(event: MouseEvent): void {
  const { target, defaultPrevented, button, ctrlKey, metaKey, shiftKey, altKey } = event
  const isOurs = !defaultPrevented && button === 0 && !(ctrlKey || metaKey || shiftKey || altKey)
  const link = target instanceof Element ? target.closest<HTMLElement>('a[data-photo]') : null
  const gallery = link?.closest('[data-gallery]')
  const dialog = gallery?.querySelector('dialog')
  if (!isOurs || !link || !gallery || !dialog) return
  event.preventDefault()
  show(dialog, [...gallery.querySelectorAll<HTMLElement>('a[data-photo]')], link)
  closeByBack(dialog)
}

/** An entry of the browser's history, which the app's router need not know of: it is the same place. */
function closeByBack(dialog: HTMLDialogElement): void {
  const photos = Date.now()
  History.prototype.pushState.call(history, { ...history.state, photos }, '')
  const close = () => dialog.close()
  addEventListener('popstate', close, { once: true })
  dialog.addEventListener(
    'close',
    () => {
      removeEventListener('popstate', close)
      // Closed in another way, it takes its entry with it.
      if (history.state?.photos === photos) history.back()
    },
    { once: true },
  )
}

function show(dialog: HTMLDialogElement, links: readonly HTMLElement[], tapped: HTMLElement): void {
  const find = (part: string) => dialog.querySelector<HTMLElement>(`[data-${part}]`)
  const slides = find('slides')
  if (!slides) return
  const closed = new AbortController()
  const on = { signal: closed.signal }
  let at = -1

  const tell = (to: number) => {
    const link = links[to]
    if (!link || to === at) return
    at = to
    for (const [place, slide] of [...slides.children].entries()) slide.toggleAttribute('inert', place !== at)
    write(find('place'), link.dataset.place)
    write(find('caption'), link.dataset.caption)
    for (const button of dialog.querySelectorAll('[data-step]'))
      button.setAttribute('aria-disabled', String(!links[at + stepOf(button)]))
  }
  const go = (to: number) => {
    if (!links[to]) return
    slides.scrollTo({ left: to * slides.clientWidth, behavior: 'instant' })
    tell(to)
  }
  const press = (event: KeyboardEvent) => {
    const wanted = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1 }[event.key]
    if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    go(wanted)
  }

  slides.replaceChildren(...links.map(slideOf))
  dialog.showModal()
  go(links.indexOf(tapped))
  // A swipe scrolls by itself.
  slides.addEventListener('scroll', () => tell(Math.round(slides.scrollLeft / slides.clientWidth)), on)
  addEventListener('resize', () => go(at), on)
  dialog.addEventListener('keydown', press, on)
  dialog.addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof Element)) return
      const button = target.closest('[data-step]')
      if (button) go(at + stepOf(button))
      if (target.closest('[data-close]')) dialog.close()
    },
    on,
  )
  dialog.addEventListener(
    'close',
    () => {
      closed.abort()
      slides.replaceChildren()
      // A browser that focuses no link when it is tapped would give the focus to nobody.
      tapped.focus()
    },
    on,
  )
}

const stepOf = (button: Element) => Number(button.getAttribute('data-step'))

function write(place: HTMLElement | null, words = ''): void {
  if (place) place.textContent = words
}

/** The photo as large as the screen, in the files that its link only names. */
function slideOf(link: HTMLElement): HTMLElement {
  const small = link.querySelector('img')
  const photo = { id: link.dataset.photo ?? '', width: Number(small?.getAttribute('width')) }
  const source = Object.assign(document.createElement('source'), {
    type: photoFormats.avif,
    sizes: '100vw',
    srcset: photoSources(photo, 'avif'),
  })
  const image = Object.assign(document.createElement('img'), {
    loading: 'lazy',
    decoding: 'async',
    alt: small?.alt ?? '',
    sizes: '100vw',
    srcset: photoSources(photo, 'jpg'),
    src: photoAddress(photo, photo.width, 'jpg'),
  })
  const slide = document.createElement('li')
  const picture = document.createElement('picture')
  picture.append(source, image)
  slide.append(picture)
  return slide
}
