import { photoAddress, photoFormats, photoSources } from '@keyturn/contract/shared/photo-files.ts'

/** Opens the tapped photo in a viewer with the rest of its gallery (R-cars-31). */
export function openTappedPhoto(event: MouseEvent): void {
  const { target, defaultPrevented, button, ctrlKey, metaKey, shiftKey, altKey } = event
  const isOurs = !defaultPrevented && button === 0 && !(ctrlKey || metaKey || shiftKey || altKey)
  const link = target instanceof Element ? target.closest<HTMLElement>('a[data-photo]') : null
  const gallery = link?.closest('[data-gallery]')
  const dialog = gallery?.querySelector('dialog')
  if (!isOurs || !link || !gallery || !dialog) return
  event.preventDefault()
  showGallery(dialog, [...gallery.querySelectorAll<HTMLElement>('a[data-photo]')], link)
  closeByBack(dialog)
}

/**
 * Back closes the photos. The router ignores this history entry, because its address is the same.
 */
function closeByBack(dialog: HTMLDialogElement): void {
  const photos = Date.now()
  History.prototype.pushState.call(history, { ...history.state, photos }, '')
  const close = () => dialog.close()
  addEventListener('popstate', close, { once: true })
  dialog.addEventListener(
    'close',
    () => {
      removeEventListener('popstate', close)
      // Closing without Back removes the entry.
      if (history.state?.photos === photos) history.back()
    },
    { once: true },
  )
}

function showGallery(dialog: HTMLDialogElement, links: readonly HTMLElement[], tapped: HTMLElement): void {
  const find = (part: string) => dialog.querySelector<HTMLElement>(`[data-${part}]`)
  const slides = find('slides')
  if (!slides) return
  const closed = new AbortController()
  const on = { signal: closed.signal }
  let at = -1

  const updateControls = (to: number) => {
    const link = links[to]
    if (!link || to === at) return
    at = to
    for (const [place, slide] of [...slides.children].entries()) slide.toggleAttribute('inert', place !== at)
    setText(find('place'), link.dataset.place)
    setText(find('caption'), link.dataset.caption)
    for (const button of dialog.querySelectorAll('[data-step]'))
      button.setAttribute('aria-disabled', String(!links[at + stepOf(button)]))
  }
  const scrollToSlide = (to: number) => {
    if (!links[to]) return
    slides.scrollTo({ left: to * slides.clientWidth, behavior: 'instant' })
    updateControls(to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1 }[event.key]
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    scrollToSlide(target)
  }

  slides.replaceChildren(...links.map(slideOf))
  dialog.showModal()
  scrollToSlide(links.indexOf(tapped))
  // Swiping needs no code: it is native scrolling.
  slides.addEventListener(
    'scroll',
    () => updateControls(Math.round(slides.scrollLeft / slides.clientWidth)),
    on,
  )
  addEventListener('resize', () => scrollToSlide(at), on)
  dialog.addEventListener('keydown', onKeyDown, on)
  dialog.addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof Element)) return
      const button = target.closest('[data-step]')
      if (button) scrollToSlide(at + stepOf(button))
      if (target.closest('[data-close]')) dialog.close()
    },
    on,
  )
  dialog.addEventListener(
    'close',
    () => {
      closed.abort()
      slides.replaceChildren()
      // Some browsers do not focus a tapped link, so the focus could not return to it later.
      tapped.focus()
    },
    on,
  )
}

const stepOf = (button: Element) => Number(button.getAttribute('data-step'))

function setText(place: HTMLElement | null, words = ''): void {
  if (place) place.textContent = words
}

/** Builds the full-screen photo from the files that its link names. */
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
