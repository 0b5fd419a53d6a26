import { openTapped } from '../../ui/deal/gallery.ts'

/** Photos open over the page, and Back closes them (R-cars-31). */
export function openPhotos(): void {
  // Loaded again while they were open, the page is at the entry that Back was to leave.
  if (history.state?.isPhotos) history.back()
  addEventListener('click', (event) => {
    const dialog = openTapped(event)
    if (dialog) closeByBack(dialog)
  })
}

function closeByBack(dialog: HTMLDialogElement): void {
  history.pushState({ isPhotos: true }, '')
  const close = () => dialog.close()
  addEventListener('popstate', close, { once: true })
  dialog.addEventListener(
    'close',
    () => {
      removeEventListener('popstate', close)
      // Closed in another way, it takes its entry with it.
      if (history.state?.isPhotos) history.back()
    },
    { once: true },
  )
}
