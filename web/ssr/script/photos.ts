import { openTapped } from '../../components/display/gallery.ts'

/** Photos open over the page (R-cars-31). */
export function openPhotos(): void {
  // Loaded again while they were open, the page is at the entry that Back was to leave.
  if (history.state?.photos) history.back()
  addEventListener('click', openTapped)
}
